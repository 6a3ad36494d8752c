import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rowsOf } from '../../../src/ledger/database.ts';
import { intents, savedAttachments } from '../../../src/ledger/schema.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';
import { absent, hour, judge, look, openInput, present, type Seen, shop, t0, wholeRound } from './scene.ts';
import { defaultPolicy } from '../../../src/domain/policy.ts';

let open: TestLedger;
beforeAll(async () => {
  open = await openTestLedger();
});
beforeEach(() => open.reset());
afterAll(() => open.close());

const seen: readonly Seen[] = [
  { path: 's', verdict: present('1') },
  { path: 's/a', verdict: absent() },
  { path: 's/b', verdict: present('2') },
];
const plenty = 1_000;

/** Rows per round and table. */
async function left(): Promise<Record<string, readonly [number, number, number]>> {
  const rows = await rowsOf<{ id: string; listed: number; seen: number; judged: number }>(
    open.db,
    sql`
      select id, (select count(*)::int from snapshot where round = id) as listed,
        (select count(*)::int from verdicts where round = id) as seen,
        (select count(*)::int from judgements where round = id) as judged
      from rounds order by id`,
  );
  return Object.fromEntries(rows.map(({ id, listed, seen: verdicts, judged }) => [id, [listed, verdicts, judged]]));
}

async function scan(id: string, now: number, state: 'scanned' | 'unreachable' | undefined): Promise<void> {
  await open.ledger.rounds.open(openInput(id, { dry: true, now }));
  await look(open.ledger, id, seen);
  if (state !== undefined) await open.ledger.rounds.end({ id, state, now });
}

describe('tidying', () => {
  test('keeps what is still read: the published round, those at work, the newest scan', async () => {
    await wholeRound(open.ledger, 'r1', seen);
    await wholeRound(open.ledger, 'r2', seen, { now: t0 + hour });
    await scan('s1', t0, 'scanned');
    await scan('s2', t0 + 1, 'scanned');
    await scan('s3', t0 + 2, 'unreachable');
    await scan('s4', t0 + 3, undefined);
    const opened = await open.ledger.rounds.open(openInput('r3', { now: t0 + 2 * hour }));
    await look(open.ledger, 'r3', seen);
    await judge(open.ledger, opened, { now: t0 + 2 * hour, epoch: 'e1', policy: defaultPolicy });
    await wholeRound(open.ledger, 'o1', seen, { open: { catalog: 'lake/other' } });
    await wholeRound(open.ledger, 'o2', seen, { open: { catalog: 'lake/other' } });
    expect(await open.ledger.rounds.tidy(shop, plenty)).toEqual({ more: false });
    expect(await left()).toEqual({
      o1: [3, 3, 1],
      o2: [3, 3, 1],
      r1: [0, 0, 0],
      r2: [3, 3, 0],
      r3: [3, 3, 1],
      s1: [0, 0, 0],
      s2: [3, 3, 0],
      s3: [0, 0, 0],
      s4: [3, 3, 0],
    });
    expect(await open.ledger.rounds.counts('r1')).toMatchObject({ registrations: 3, verdicts: { present: 2 } });
  });

  test('takes no more than it may, and says whether more is left', async () => {
    for (const [index, id] of ['r1', 'r2', 'r3'].entries()) {
      await wholeRound(open.ledger, id, seen, { now: t0 + index * hour });
    }
    const total = async () =>
      Object.values(await left())
        .flat()
        .reduce((sum, rows) => sum + rows, 0);
    for (let before = await total(); ; ) {
      const { more } = await open.ledger.rounds.tidy(shop, 2);
      const after = await total();
      expect(before - after).toBeLessThanOrEqual(2);
      if (!more) break;
      expect(after).toBeLessThan(before);
      before = after;
    }
    expect(await left()).toEqual({ r1: [0, 0, 0], r2: [0, 0, 0], r3: [3, 3, 0] });
    expect(await open.ledger.rounds.tidy(shop, 2)).toEqual({ more: false });
  });

  test('leaves the round that an open removal goes by', async () => {
    await wholeRound(open.ledger, 'r1', seen);
    await open.db.insert(intents).values({
      id: 'i',
      catalog: shop,
      finding: 'f',
      entity: 'e',
      kind: 'schema',
      path: 's',
      version: 'v1',
      digest: 'd',
      actor: {
        name: 'anna',
        verified: true,
        via: 'api',
      },
      round: 'r1',
      openedAt: t0,
      actBefore: t0,
      state: 'open',
    });
    await wholeRound(open.ledger, 'r2', seen, { now: t0 + hour });
    await open.ledger.rounds.tidy(shop, plenty);
    expect(await left()).toMatchObject({ r1: [3, 3, 1] });
    await open.db.update(intents).set({ state: 'settled' });
    await open.ledger.rounds.tidy(shop, plenty);
    expect(await left()).toMatchObject({ r1: [0, 0, 0] });
  });

  test('has nothing to do for a catalog that nobody knows', async () => {
    expect(await open.ledger.rounds.tidy('lake/nowhere', plenty)).toEqual({ more: false });
  });

  test('forgets identities of what is no longer registered, and of nothing else', async () => {
    await wholeRound(open.ledger, 'r1', [
      { path: 'stays', verdict: present('1') },
      { path: 'goes', verdict: present('2') },
      { path: 'moves', entity: 'm', verdict: present('3') },
      { path: 'again', entity: 'old', verdict: present('4') },
    ]);
    await wholeRound(
      open.ledger,
      'r2',
      [
        { path: 'again', entity: 'new', verdict: present('5') },
        { path: 'elsewhere', entity: 'm', verdict: absent('3') },
        { path: 'stays', mark: 'excluded' },
      ],
      { now: t0 + hour },
    );
    await open.ledger.rounds.tidy(shop, plenty);
    const known = await rowsOf<{ entity: string; uid: string }>(
      open.db,
      sql`select entity, uid from identities order by uid`,
    );
    expect(known.map(({ entity, uid }) => [entity, uid])).toEqual([
      ['id of stays', '1'],
      ['m', '3'],
      ['new', '5'],
    ]);
  });

  test('remembers the identity of what was removed and can be restored', async () => {
    await wholeRound(open.ledger, 'r1', [
      { path: 'stays', verdict: present('1') },
      { path: 'removed', verdict: present('2') },
    ]);
    const saved = { intent: 'i', entity: 'id of removed', kind: 'table', path: 'removed', version: '1' } as const;
    await open.db.insert(savedAttachments).values({ ...saved, body: 'unseen' });
    await wholeRound(open.ledger, 'r2', [{ path: 'stays', verdict: present('1') }], { now: t0 + hour });
    await open.ledger.rounds.tidy(shop, plenty);
    const known = await rowsOf<{ uid: string }>(open.db, sql`select uid from identities order by uid`);
    expect(known.map(({ uid }) => uid)).toEqual(['1', '2']);
  });
});
