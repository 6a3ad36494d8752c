import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { reconciler } from '../../../src/domain/actor.ts';
import { defaultPolicy } from '../../../src/domain/policy.ts';
import { rowsOf } from '../../../src/ledger/database.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';
import {
  absent,
  at,
  closing,
  hour,
  look,
  openInput,
  present,
  proof,
  publishing,
  shop,
  t0,
  wholeRound,
} from './scene.ts';

let open: TestLedger;
beforeAll(async () => {
  open = await openTestLedger();
});
beforeEach(() => open.reset());
afterAll(() => open.close());

const superseded = expect.objectContaining({ type: 'RoundSuperseded' });

describe('opening', () => {
  test('the first round of a catalog makes its row and goes by the default policy', async () => {
    expect(await open.ledger.rounds.open(openInput('r1'))).toEqual({
      id: 'r1',
      seq: 1,
      intervalMs: hour,
      policy: defaultPolicy,
      policyVersion: 0,
      afterComplete: true,
    });
    expect(await open.ledger.catalogs.catalog(shop)).toMatchObject({
      metalake: 'lake',
      name: 'shop',
      state: 'never-scanned',
      stateSince: t0,
    });
  });

  test('the same round again answers the same and counts nothing twice', async () => {
    const { rounds } = open.ledger;
    await wholeRound(open.ledger, 'r1', [{ path: 'sales', verdict: present() }]);
    const first = await rounds.open(openInput('r2', { now: t0 + hour }));
    expect(await rounds.open(openInput('r2', { now: t0 + 2 * hour, intervalMs: 5 }))).toEqual(first);
    expect(first).toMatchObject({
      seq: 2,
      published: { id: 'r1', at: t0, registrations: 1, policy: defaultPolicy },
      epoch: 'e1',
    });
    expect(first).toMatchObject({ fingerprint: 'f1', afterComplete: true });
  });

  test('two at once become one round after the other', async () => {
    const opened = await Promise.all(['r1', 'r2', 'r3'].map((id) => open.ledger.rounds.open(openInput(id))));
    expect(new Set(opened.map(({ seq }) => seq))).toEqual(new Set([1, 2, 3]));
    const states = await Promise.all(['r1', 'r2', 'r3'].map((id) => open.ledger.rounds.round(id)));
    expect(states.filter((round) => round?.state === 'running')).toHaveLength(1);
    expect(states.filter((round) => round?.state === 'failed')).toHaveLength(2);
  });

  test('the policy of a running round stays the one it began with', async () => {
    const apply = (misses: number) =>
      open.ledger.catalogs.applyPolicy({
        catalog: shop,
        policy: { ...defaultPolicy, misses },
        intervalMs: 2 * hour,
        actor: reconciler,
        now: t0,
      });
    await open.ledger.catalogs.ensure('lake', 'shop', t0);
    await apply(4);
    const first = await open.ledger.rounds.open(openInput('r1'));
    expect(first).toMatchObject({ policyVersion: 1, intervalMs: 2 * hour, policy: { misses: 4 } });
    await apply(7);
    expect(await open.ledger.rounds.open(openInput('r1'))).toEqual(first);
  });

  test('a scan that nobody ended is closed by a round, a day later', async () => {
    const stateOf = async (round: string) => (await open.ledger.rounds.round(round))?.state;
    await open.ledger.rounds.open(openInput('s1', { dry: true }));
    await open.ledger.rounds.open(openInput('r1', { now: t0 + 23 * hour }));
    expect(await stateOf('s1')).toBe('running');
    await open.ledger.rounds.open(openInput('r2', { now: t0 + 25 * hour }));
    expect(await stateOf('s1')).toBe('failed');
    expect(await stateOf('r1')).toBe('failed');
    await open.ledger.rounds.open(openInput('s2', { dry: true, now: t0 + 26 * hour }));
    expect(await stateOf('r2')).toBe('running');
  });

  test('a dry scan has no number and leaves rounds alone', async () => {
    await open.ledger.rounds.open(openInput('r1'));
    expect(await open.ledger.rounds.open(openInput('s1', { dry: true }))).toMatchObject({ seq: 0 });
    expect(await open.ledger.rounds.round('r1')).toMatchObject({ state: 'running' });
    expect(await open.ledger.rounds.open(openInput('r2'))).toMatchObject({ seq: 2 });
    expect(await open.ledger.rounds.round('s1')).toMatchObject({ state: 'running' });
  });

  test('a name that is no catalog is refused', async () => {
    await expect(open.ledger.rounds.open(openInput('r1', { catalog: 'lake' }))).rejects.toMatchObject({
      type: 'InvalidRequest',
    });
  });
});

describe('a newer round', () => {
  test('closes the unfinished one, and the catalog waits for a round that is published', async () => {
    await wholeRound(open.ledger, 'r1', []);
    await open.ledger.rounds.open(openInput('r2', { now: t0 + hour }));
    expect(await open.ledger.rounds.open(openInput('r3', { now: t0 + 2 * hour }))).toMatchObject({
      seq: 3,
      afterComplete: false,
    });
    expect(await open.ledger.rounds.round('r2')).toMatchObject({
      state: 'failed',
      reason: { type: 'RoundSuperseded' },
      endedAt: t0 + 2 * hour,
    });
    expect(await open.ledger.catalogs.catalog(shop)).toMatchObject({ state: 'failed', published: { id: 'r1' } });
    await open.ledger.rounds.publish(publishing('r3', { now: t0 + 2 * hour }));
    expect(await open.ledger.catalogs.catalog(shop)).toMatchObject({ state: 'ok' });
    expect(await open.ledger.rounds.open(openInput('r4', { now: t0 + 3 * hour }))).toMatchObject({
      afterComplete: true,
    });
  });

  test('B04 lets nothing of the one it closed be written any more', async () => {
    const { rounds } = open.ledger;
    const opened = await rounds.open(openInput('old'));
    await look(open.ledger, 'old', [{ path: 'sales/a', verdict: absent() }]);
    const [row] = await rounds.toJudge(opened.id, { limit: 1 });
    expect(row).toMatchObject({ path: at('sales/a') });
    await rounds.open(openInput('new'));

    await expect(rounds.open(openInput('old'))).rejects.toEqual(superseded);
    await expect(look(open.ledger, 'old', [{ path: 'sales/b' }])).rejects.toEqual(superseded);
    const late = { row: 0, verdict: present(), evidence: { ...proof, code: 'late' }, probedAt: t0 };
    await expect(rounds.recordVerdicts('old', [late])).rejects.toEqual(superseded);
    await expect(rounds.resetSnapshot('old')).rejects.toEqual(superseded);
    await expect(rounds.recordJudgements('old', [closing('id of sales/a')])).rejects.toEqual(superseded);
    await expect(rounds.publish(publishing('old'))).rejects.toEqual(superseded);
    expect(await rounds.end({ id: 'old', state: 'unreachable', now: t0 })).toMatchObject({ state: 'failed' });

    const [left] = await rowsOf<{ verdict: string; rows: number; judged: number; proofs: number }>(
      open.db,
      sql`
        select (select verdict from verdicts) as verdict, (select count(*)::int from snapshot) as rows,
          (select count(*)::int from judgements) as judged, (select count(*)::int from evidence) as proofs`,
    );
    expect(left).toEqual({ verdict: 'absent', rows: 1, judged: 0, proofs: 1 });
  });
});
