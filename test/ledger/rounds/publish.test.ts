import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defaultPolicy } from '../../../src/domain/policy.ts';
import { catalogs } from '../../../src/ledger/schema.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';
import { absentOnce, findingAt, gone, rowsIn } from './aftermath.ts';
import {
  at,
  hour,
  judge,
  look,
  openInput,
  opening,
  present,
  publishing,
  type Seen,
  shop,
  t0,
  unknown,
  wholeRound,
} from './scene.ts';

let open: TestLedger;
beforeAll(async () => {
  open = await openTestLedger();
});
beforeEach(() => open.reset());
afterAll(() => open.close());

describe('publishing', () => {
  test('opens findings and flips the catalog in one go', async () => {
    const counts = await wholeRound(open.ledger, 'r1', [gone('s/a'), { path: 's/b', verdict: present() }], {
      hold: ['new-epoch'],
    });
    expect(counts).toEqual({
      registrations: 2,
      eligible: 2,
      verdicts: {
        absent: 1,
        present: 1,
      },
      open: 1,
      due: 0,
    });
    expect(await open.ledger.catalogs.catalog(shop)).toMatchObject({
      state: 'ok',
      hold: ['new-epoch'],
      published: {
        id: 'r1',
        at: t0,
      },
      epoch: 'e1',
      fingerprint: 'f1',
    });
    expect(await open.ledger.rounds.round('r1')).toMatchObject({
      state: 'published',
      endedAt: t0,
      counts,
      hold: ['new-epoch'],
    });
    expect(await findingAt(open, 's/a')).toMatchObject({
      state: 'open',
      entity: 'id of s/a',
      movedBy: 'r1',
      openedAt: t0,
      updatedAt: t0,
      inside: 0,
      taken: false,
      standing: {
        misses: 1,
        verdict: 'absent',
      },
      evidence: { source: 'postgresql' },
    });
    expect((await open.ledger.findings.history((await findingAt(open, 's/a')).id)).map(({ what }) => what)).toEqual([
      'opened',
    ]);
  });

  test('again answers the same counts and moves nothing twice', async () => {
    await wholeRound(open.ledger, 'r1', [gone('s/a')]);
    const first = await wholeRound(open.ledger, 'r2', [gone('s/a')], { now: t0 + hour });
    const before = await findingAt(open, 's/a');
    await open.ledger.rounds.open(openInput('r3', { now: t0 + 2 * hour }));
    expect(await open.ledger.rounds.publish(publishing('r2', { now: t0 + 3 * hour, hold: ['all-absent'] }))).toEqual(
      first,
    );
    expect(await findingAt(open, 's/a')).toEqual(before);
    expect(before.standing.misses).toBe(2);
    expect(await open.ledger.catalogs.catalog(shop)).toMatchObject({ hold: [] });
  });

  test('twice at the same moment publishes once', async () => {
    const opened = await open.ledger.rounds.open(openInput('r1'));
    await look(open.ledger, 'r1', [gone('s/a')]);
    await judge(open.ledger, opened, { now: t0, epoch: 'e1', policy: defaultPolicy });
    const both = await Promise.all([1, 2].map(() => open.ledger.rounds.publish(publishing('r1'))));
    expect(both[0]).toEqual(both[1]);
    expect(await rowsIn(open, 'findings', 'transitions', 'audit')).toEqual({ findings: 1, transitions: 1, audit: 1 });
  });

  test('a round without news adds its own row and nothing else', async () => {
    const seen: readonly Seen[] = [
      gone('s/a'),
      { path: 's/b', verdict: present('1') },
      { path: 's/c', verdict: unknown() },
    ];
    for (const [index, id] of ['r1', 'r2', 'r3'].entries()) {
      await wholeRound(open.ledger, id, seen, { now: t0 + index * hour });
    }
    const before = await rowsIn(
      open,
      'findings',
      'transitions',
      'audit',
      'evidence',
      'identities',
      'decisions',
      'catalogs',
    );
    await wholeRound(open.ledger, 'r4', seen, { now: t0 + 3 * hour });
    expect(
      await rowsIn(open, 'findings', 'transitions', 'audit', 'evidence', 'identities', 'decisions', 'catalogs'),
    ).toEqual(before);
    expect((await findingAt(open, 's/a')).standing.misses).toBe(4);
  });

  test('a dry scan is never published', async () => {
    await open.ledger.rounds.open(openInput('s1', { dry: true }));
    await expect(open.ledger.rounds.publish(publishing('s1'))).rejects.toMatchObject({ type: 'InvalidRequest' });
  });

  test('clears a stop and the state that an earlier round left', async () => {
    await wholeRound(open.ledger, 'r1', []);
    await open.db.update(catalogs).set({ stop: { reason: 'unknown', at: t0 }, state: 'unreachable' });
    await wholeRound(open.ledger, 'r2', [], { now: t0 + hour });
    const catalog = await open.ledger.catalogs.catalog(shop);
    expect(catalog).toMatchObject({ state: 'ok', stateSince: t0 + hour });
    expect(catalog).not.toHaveProperty('stop');
  });
});

describe('B04 a round that is never published', () => {
  test('leaves every finding as it was', async () => {
    await wholeRound(open.ledger, 'r1', [gone('s/a'), gone('s/b')]);
    const before = await open.ledger.findings.page({ catalog: shop, limit: 10 }, t0);
    const opened = await open.ledger.rounds.open(openInput('r2', { now: t0 + hour }));
    await look(open.ledger, 'r2', [gone('s/a'), { path: 's/b', verdict: present() }, gone('s/c')]);
    await judge(open.ledger, opened, { now: t0 + hour, epoch: 'e1', policy: defaultPolicy });
    await open.ledger.rounds.end({ id: 'r2', state: 'unreachable', now: t0 + hour });
    await expect(open.ledger.rounds.publish(publishing('r2'))).rejects.toMatchObject({ type: 'RoundSuperseded' });
    expect(await open.ledger.findings.page({ catalog: shop, limit: 10 }, t0)).toEqual(before);
  });
});

test('B82 more judgements than one statement applies are all applied', async () => {
  const paths = Array.from({ length: 5_200 }, (_unused, index) => `s/t${index}`);
  await open.ledger.rounds.open(openInput('r1'));
  await look(open.ledger, 'r1', paths.map(gone));
  await open.ledger.rounds.recordJudgements(
    'r1',
    paths.map((path) =>
      opening({ entity: `id of ${path}`, kind: 'table', path: at(path), version: 'v1', createdAt: t0 }, absentOnce),
    ),
  );
  expect(await open.ledger.rounds.publish(publishing('r1'))).toMatchObject({ open: 5_200 });
  expect(await rowsIn(open, 'findings', 'transitions')).toEqual({ findings: 5_200, transitions: 5_200 });
});
