import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defaultPolicy } from '../../../src/domain/policy.ts';
import { decisions, findings, intents } from '../../../src/ledger/schema.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';
import { absentOnce, findingAt, gone, rowsIn } from './aftermath.ts';
import {
  at,
  hour,
  judge,
  look,
  openInput,
  opening,
  openPaths,
  present,
  publishing,
  replaced,
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

const anna = { name: 'anna', verified: true, via: 'api' } as const;

const historyOf = async (path: string) =>
  (await open.ledger.findings.history((await findingAt(open, path)).id)).map(({ what }) => what);

async function decide(path: string, action: 'approve' | 'reject' | 'keep'): Promise<void> {
  const { id, entity, digest } = await findingAt(open, path);
  await open.db.insert(decisions).values({
    id: `${action} ${path}`,
    catalog: shop,
    finding: id,
    entity,
    digest,
    action,
    actor: anna,
    requestKey: `${action} ${path}`,
    at: t0,
    state: 'active',
    expiresAt: t0 + 1e3 * hour,
  });
}
const decisionsNow = async () =>
  (await open.db.select().from(decisions).orderBy(decisions.id)).map(({ id, state, stateWhy }) => [
    id,
    state,
    stateWhy,
  ]);

describe('a finding', () => {
  test('B20 of what is filtered out now keeps its counters, and nothing new comes of the rest', async () => {
    await wholeRound(open.ledger, 'r1', [gone('s/a'), { path: 's/b', verdict: present() }]);
    await wholeRound(open.ledger, 'r2', [gone('s/a'), { path: 's/b', verdict: present() }], { now: t0 + hour });
    await wholeRound(
      open.ledger,
      'r3',
      [
        { path: 's/a', mark: 'out-of-scope' },
        { path: 's/b', mark: 'out-of-scope' },
      ],
      { now: t0 + 2 * hour },
    );
    expect(await openPaths(open.ledger)).toEqual(['s/a']);
    expect((await findingAt(open, 's/a')).standing).toMatchObject({
      misses: 2,
      due: false,
      ripe: false,
      waits: ['not-judged'],
    });
  });

  test('B22 of another catalog is not touched', async () => {
    await wholeRound(open.ledger, 'r1', [gone('s/a')]);
    await wholeRound(open.ledger, 'o1', [], { open: { catalog: 'lake/other' } });
    expect(await openPaths(open.ledger)).toEqual(['s/a']);
    expect(await openPaths(open.ledger, 'lake/other')).toEqual([]);
  });

  test('B74 that was removed while the round looked is not opened again, nor in the next round', async () => {
    await wholeRound(open.ledger, 'r1', [gone('s/a'), gone('s/b')]);
    const opened = await open.ledger.rounds.open(openInput('r2', { now: t0 + hour }));
    await look(open.ledger, 'r2', [gone('s/a'), gone('s/b')]);
    const eyes = { now: t0 + hour, epoch: 'e1', policy: defaultPolicy };
    await open.db.update(findings).set({ state: 'closed', closedWhy: 'removed' }).where(eq(findings.path, 's/a'));
    await judge(open.ledger, opened, eyes);
    // and one whose removal ended between judging and publishing
    await open.db.update(findings).set({ state: 'closed', closedWhy: 'removed' }).where(eq(findings.path, 's/b'));
    const before = await rowsIn(open, 'findings', 'transitions');
    await open.ledger.rounds.publish(publishing('r2', { now: t0 + hour }));
    await wholeRound(open.ledger, 'r3', [], { now: t0 + 2 * hour });
    expect(await openPaths(open.ledger)).toEqual([]);
    expect(await rowsIn(open, 'findings', 'transitions')).toEqual(before);
  });

  test('with an open intent is left alone', async () => {
    await wholeRound(open.ledger, 'r1', [gone('s/a'), gone('s/b')]);
    const { id, entity, digest } = await findingAt(open, 's/a');
    const opened = await open.ledger.rounds.open(openInput('r2', { now: t0 + hour }));
    await look(open.ledger, 'r2', [gone('s/b')]);
    await judge(open.ledger, opened, { now: t0 + hour, epoch: 'e2', policy: defaultPolicy });
    await decide('s/a', 'approve');
    await open.db.insert(intents).values({
      id: 'i',
      catalog: shop,
      finding: id,
      entity,
      kind: 'table',
      path: 's/a',
      version: 'v1',
      digest,
      actor: anna,
      round: 'r1',
      openedAt: t0,
      actBefore: t0,
      state: 'open',
    });
    await open.ledger.rounds.publish(publishing('r2', { now: t0 + hour, epoch: 'e2' }));
    expect(await findingAt(open, 's/a')).toMatchObject({ state: 'open', movedBy: 'r1', standing: { epoch: 'e1' } });
    expect(await findingAt(open, 's/b')).toMatchObject({ movedBy: 'r2', standing: { epoch: 'e2' } });
    expect(await decisionsNow()).toEqual([['approve s/a', 'active', null]]);
  });

  test('keeps its id over rounds and gets a new one once it was closed', async () => {
    await wholeRound(open.ledger, 'r1', [gone('s/a')]);
    const first = await findingAt(open, 's/a');
    await wholeRound(open.ledger, 'r2', [gone('s/a')], { now: t0 + hour });
    expect((await findingAt(open, 's/a')).id).toBe(first.id);
    await wholeRound(open.ledger, 'r3', [{ path: 's/a', verdict: present() }], { now: t0 + 2 * hour });
    expect(await findingAt(open, 's/a')).toMatchObject({ state: 'closed', closedWhy: 'present', movedBy: 'r3' });
    await wholeRound(open.ledger, 'r4', [gone('s/a')], { now: t0 + 3 * hour });
    const second = await open.ledger.findings.openAt(shop, at('s/a'), t0);
    expect(second?.id).not.toBe(first.id);
    expect(second?.standing.misses).toBe(1);
  });

  test('follows its registration to another path', async () => {
    await wholeRound(open.ledger, 'r1', [gone('s/a')]);
    const { id } = await findingAt(open, 's/a');
    await wholeRound(open.ledger, 'r2', [{ ...gone('t/b'), entity: 'id of s/a', version: 'v2' }], { now: t0 + hour });
    expect(await findingAt(open, 't/b')).toMatchObject({ id, version: 'v2', standing: { misses: 2 } });
  });

  test('tells its news, and not that it was missed once more', async () => {
    const policy = { ...defaultPolicy, mode: 'auto-remove', graceMs: 2 * hour, approveAttended: false } as const;
    const round = (id: string, hours: number, seen: Seen) =>
      wholeRound(open.ledger, id, [seen], { now: t0 + hours * hour, policy });
    await round('r1', 0, gone('s/a'));
    await round('r2', 1, gone('s/a'));
    await round('r3', 2, gone('s/a'));
    await round('r4', 3, gone('s/a'));
    await round('r5', 4, { path: 's/a', verdict: unknown() });
    await round('r6', 5, { path: 's/a', verdict: replaced('9') });
    await round('r7', 6, { path: 's/a', verdict: present() });
    expect(await historyOf('s/a')).toEqual(['opened', 'ripe', 'due', 'verdict-changed', 'evidence-changed', 'closed']);
    const history = await open.ledger.findings.history((await findingAt(open, 's/a')).id);
    expect(history.map(({ round: by }) => by)).toEqual(['r1', 'r2', 'r3', 'r6', 'r6', 'r7']);
    expect(history[3]?.detail).toEqual({ from: 'absent', to: 'replaced' });
    expect(history[5]?.detail).toEqual({ why: 'present' });
  });

  test('tells when a blocker appears and when it has left, odd names included', async () => {
    const row = { entity: 'id of s', kind: 'schema', path: at('s'), version: 'v1', createdAt: t0 } as const;
    const blockers = [undefined, at('s/%uD800'), at('s/b'), undefined];
    for (const [index, path] of blockers.entries()) {
      const id = `r${index}`;
      await open.ledger.rounds.open(openInput(id, { now: t0 + index }));
      await look(open.ledger, id, [gone('s')]);
      await open.ledger.rounds.recordJudgements(id, [
        opening(row, absentOnce, path === undefined ? {} : { blocker: { path, why: 'managed' }, inside: 3 }),
      ]);
      await open.ledger.rounds.publish(publishing(id, { now: t0 + index }));
      const { blocker } = await findingAt(open, 's');
      expect(blocker?.path).toEqual(path);
    }
    const history = await open.ledger.findings.history((await findingAt(open, 's')).id);
    expect(history.map(({ what }) => what)).toEqual(['opened', 'blocked', 'unblocked']);
    expect(history[1]?.detail).toEqual({ path: ['s', '\ud800'], why: 'managed' });
  });
});

describe('decisions', () => {
  const three = (path: string) => ['approve', 'reject', 'keep'].map((action) => `${action} ${path}`).sort();

  test('B89 stand with the same evidence, are void with other evidence, and end with the finding', async () => {
    const paths = ['s/same', 's/other', 's/closed', 's/unlisted'];
    await wholeRound(open.ledger, 'r1', paths.map(gone));
    for (const path of paths) for (const action of ['approve', 'reject', 'keep'] as const) await decide(path, action);
    await wholeRound(
      open.ledger,
      'r2',
      [gone('s/same'), { ...gone('s/other'), version: 'v2' }, { path: 's/closed', verdict: present() }],
      { now: t0 + hour },
    );
    const expected = paths.flatMap(three).sort();
    const why = (id: string) => {
      if (id.startsWith('keep') || id.endsWith('s/same')) return ['active', null];
      return ['void', id.endsWith('s/other') ? 'evidence-changed' : 'closed'];
    };
    expect(await decisionsNow()).toEqual(expected.map((id) => [id, ...why(id)]));
    expect(await historyOf('s/same')).toEqual(['opened', 'ripe']);
    expect(await historyOf('s/other')).toEqual([
      'opened',
      'evidence-changed',
      'decision-void',
      'decision-void',
      'ripe',
    ]);
    expect(await historyOf('s/closed')).toEqual(['opened', 'closed', 'decision-void', 'decision-void']);
    const [entry] = (await open.ledger.audit.page({ limit: 100 })).filter(({ subject }) => subject === 'r2');
    expect(entry).toMatchObject({ action: 'round-published', detail: { opened: 0, closed: 2, voided: 6 } });
  });

  test('B88 of what is no longer a candidate are closed with it', async () => {
    await wholeRound(open.ledger, 'r7', [gone('a'), gone('b')]);
    await decide('a', 'approve');
    await decide('b', 'approve');
    await wholeRound(open.ledger, 'r8', [gone('a'), { path: 'b', verdict: present() }], { now: t0 + hour });
    expect(await openPaths(open.ledger)).toEqual(['a']);
    expect(await decisionsNow()).toEqual([
      ['approve a', 'active', null],
      ['approve b', 'void', 'closed'],
    ]);
  });
});
