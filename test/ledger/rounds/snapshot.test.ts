import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pathText } from '../../../src/domain/path.ts';
import { rowsOf } from '../../../src/ledger/database.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';
import { absent, look, openInput, present, proof, type Seen, shop, snapshotRow, t0 } from './scene.ts';

let open: TestLedger;
beforeAll(async () => {
  open = await openTestLedger();
});
beforeEach(() => open.reset());
afterAll(() => open.close());

const add = (round: string, seen: readonly Seen[], from = 0) =>
  open.ledger.rounds.appendSnapshot(
    round,
    seen.map((one, index) => snapshotRow(from + index, one)),
  );
const listed = async (round: string) =>
  (await rowsOf<{ path: string }>(open.db, sql`select path from snapshot where round = ${round} order by row`)).map(
    ({ path }) => path,
  );

describe('a snapshot', () => {
  beforeEach(async () => {
    await open.ledger.rounds.open(openInput('r1'));
  });

  test('takes the same rows again, whole or in part, and keeps what it has', async () => {
    await add('r1', [{ path: 'a' }, { path: 'b' }]);
    await add('r1', [{ path: 'a' }, { path: 'b' }]);
    await add('r1', [{ path: 'b', version: 'other' }, { path: 'c' }], 1);
    expect(await listed('r1')).toEqual(['a', 'b', 'c']);
    expect(await open.ledger.rounds.snapshotCounts('r1')).toEqual({ registrations: 3, eligible: 3 });
    const kept = await rowsOf(open.db, sql`select version from snapshot where row = 1`);
    expect(kept).toEqual([{ version: 'v1' }]);
  });

  test('two attempts at the same page end with one page', async () => {
    const page = Array.from({ length: 50 }, (_unused, index) => ({ path: `t${index}` }));
    await Promise.all([add('r1', page), add('r1', page), add('r1', page)]);
    expect(await open.ledger.rounds.snapshotCounts('r1')).toEqual({ registrations: 50, eligible: 50 });
  });

  test.each<[string, readonly Seen[], readonly Seen[]]>([
    ['within a page', [{ path: 'a' }], [{ path: 'b' }, { path: 'b' }]],
    ['on two pages', [{ path: 'a' }, { path: 'b' }], [{ path: 'b', entity: 'other' }]],
  ])('B25 one path listed twice %s makes the round incomplete', async (_name, first, second) => {
    await add('r1', first);
    await expect(add('r1', second, first.length)).rejects.toMatchObject({
      type: 'SnapshotIncomplete',
      code: 'listed-twice',
    });
    expect(await listed('r1')).toEqual(first.map(({ path }) => path));
  });

  test('counts apart what is not to be probed', async () => {
    await add('r1', [{ path: 'a' }, { path: 'b', mark: 'managed' }, { path: 'c', mark: 'excluded' }]);
    expect(await open.ledger.rounds.snapshotCounts('r1')).toEqual({ registrations: 3, eligible: 1 });
  });

  test('can be forgotten and listed anew', async () => {
    await look(open.ledger, 'r1', [
      { path: 'a', verdict: absent() },
      { path: 'b', verdict: present() },
    ]);
    await open.ledger.rounds.resetSnapshot('r1');
    await open.ledger.rounds.resetSnapshot('r1');
    expect(await listed('r1')).toEqual([]);
    await look(open.ledger, 'r1', [{ path: 'b', verdict: present() }]);
    expect(await open.ledger.rounds.counts('r1')).toMatchObject({ registrations: 1, verdicts: { present: 1 } });
  });

  test('B82 counts on beyond what one statement reads', async () => {
    const many = Array.from({ length: 20_001 }, (_unused, index) => ({ path: `s/t${index}` }));
    for (let from = 0; from < many.length; from += 5_000) await add('r1', many.slice(from, from + 5_000), from);
    expect(await open.ledger.rounds.snapshotCounts('r1')).toEqual({ registrations: 20_001, eligible: 20_001 });
    await open.ledger.rounds.resetSnapshot('r1');
    expect(await open.ledger.rounds.snapshotCounts('r1')).toEqual({ registrations: 0, eligible: 0 });
  });

  test('loses no odd name', async () => {
    const names = [
      '\ud800',
      '\udfff\ud800',
      'a/b',
      'a%2Fb',
      'NUL\0',
      '.',
      '',
      '\ue000',
      'Ünï',
      '😀',
      'O\'Brien "x" \\ {}',
    ];
    const paths = names.map((name) => pathText(['s', name]));
    await add(
      'r1',
      paths.map((path) => ({ path })),
    );
    const targets = await open.ledger.rounds.targets('r1', shop, { from: 0, to: 99 }, 99);
    expect(targets.map(({ path }) => path[1])).toEqual(names);
    const all = targets.map(({ row }) => ({ row, verdict: absent(), evidence: proof, probedAt: t0 }));
    await open.ledger.rounds.recordVerdicts('r1', all);
    const judged = await open.ledger.rounds.toJudge('r1', { limit: 99 });
    expect(new Set(judged.map(({ path }) => path[1]))).toEqual(new Set(names));
  });
});
