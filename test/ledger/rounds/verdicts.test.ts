import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pathText } from '../../../src/domain/path.ts';
import type { Verdict } from '../../../src/domain/verdict.ts';
import { rowsOf } from '../../../src/ledger/database.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';
import { absent, at, look, openInput, present, proof, replaced, shop, t0, unknown, wholeRound } from './scene.ts';

let open: TestLedger;
beforeAll(async () => {
  open = await openTestLedger();
});
beforeEach(() => open.reset());
afterAll(() => open.close());

const record = (round: string, row: number, verdict: Verdict) =>
  open.ledger.rounds.recordVerdicts(round, [{ row, verdict, evidence: proof, probedAt: t0 }]);
const everything = { from: 0, to: 1_000 };

describe('targets', () => {
  test('are what is to be probed in the range, with whom an earlier round saw', async () => {
    await wholeRound(open.ledger, 'r1', [
      { path: 's/a', verdict: present('1') },
      { path: 's/b', verdict: present() },
      { path: 's/c', verdict: unknown() },
    ]);
    await open.ledger.rounds.open(openInput('r2'));
    const marks = ['probe', 'managed', 'probe', 'excluded', 'protected', 'out-of-scope', 'probe'] as const;
    await look(
      open.ledger,
      'r2',
      marks.map((mark, index) => ({ path: `s/${'abcdefg'.charAt(index)}`, mark })),
    );
    const { rounds } = open.ledger;
    expect(await rounds.targets('r2', shop, everything, 10)).toEqual([
      { row: 0, path: at('s/a'), kind: 'table', remembered: { uid: '1', found: 'table' } },
      { row: 2, path: at('s/c'), kind: 'table' },
      { row: 6, path: at('s/g'), kind: 'table' },
    ]);
    expect((await rounds.targets('r2', shop, { from: 1, to: 3 }, 10)).map(({ row }) => row)).toEqual([2]);
    expect((await rounds.targets('r2', shop, everything, 2)).map(({ row }) => row)).toEqual([0, 2]);
    expect(await rounds.targets('r2', shop, { from: 3, to: 6 }, 1)).toEqual([]);
    expect(await rounds.targets('r1', 'lake/other', everything, 1)).toEqual([
      { row: 0, path: at('s/a'), kind: 'table' },
    ]);
  });
});

test('what lies at a place is asked about there, and is a control there in later rounds', async () => {
  const location = 's3://lake/a "b"\\c';
  await wholeRound(open.ledger, 'r1', [{ path: 's/a', verdict: present(), location }, { path: 's/b' }]);
  const [placed, nowhere] = await open.ledger.rounds.targets('r1', shop, everything, 10);
  expect([placed, nowhere]).toMatchObject([{ location }, { path: at('s/b') }]);
  expect(nowhere).not.toHaveProperty('location');
  expect(await open.ledger.rounds.knownObjects(shop, 3)).toEqual([{ path: at('s/a'), kind: 'table', location }]);
});

describe('verdicts', () => {
  const kinds: readonly Verdict[] = [
    present('1'),
    present(),
    absent('2'),
    absent(),
    replaced('3'),
    { kind: 'renamed', code: 'moved', uid: '4', movedTo: ['x', 'a/b'], taken: true },
    { kind: 'renamed', code: 'moved', uid: '5', movedTo: ['\ud800'], taken: false },
    { kind: 'copied', code: 'twice', uid: '6' },
    unknown('a\nb "c" \\'),
  ];

  test('come back as they were written, with their evidence', async () => {
    await open.ledger.rounds.open(openInput('r1'));
    const seen = kinds.map((verdict, index) => ({ path: `s/t${index}`, verdict }));
    await look(open.ledger, 'r1', seen);
    const rows = await open.ledger.rounds.toJudge('r1', { limit: 100 });
    expect(rows.map(({ verdict }) => verdict)).toEqual(kinds.slice(2, 8));
    const at2 = await open.ledger.rounds.verdictsAt('r1', [...seen.map(({ path }) => at(path)), ['nowhere']]);
    expect([...at2.values()]).toEqual(kinds.map(({ kind }) => kind));
    expect(at2.has('nowhere')).toBe(false);
  });

  test('are overwritten by a later answer, in whatever batch it comes', async () => {
    await open.ledger.rounds.open(openInput('r1'));
    await look(open.ledger, 'r1', [{ path: 'a', verdict: absent('1') }, { path: 'b' }, { path: 'c' }]);
    await open.ledger.rounds.recordVerdicts('r1', [
      { row: 2, verdict: absent(), evidence: proof, probedAt: t0 },
      { row: 0, verdict: present('1'), evidence: proof, probedAt: t0 + 1 },
      { row: 1, verdict: unknown(), evidence: proof, probedAt: t0 },
    ]);
    expect(await open.ledger.rounds.counts('r1')).toMatchObject({ verdicts: { present: 1, absent: 1, unknown: 1 } });
    expect((await open.ledger.rounds.toJudge('r1', { limit: 9 })).map(({ path }) => pathText(path))).toEqual(['c']);
  });

  test('two attempts at the same batch end with one', async () => {
    await open.ledger.rounds.open(openInput('r1'));
    const paths = Array.from({ length: 40 }, (_unused, index) => ({ path: `t${index}` }));
    await look(open.ledger, 'r1', paths);
    const batch = paths.map((_path, row) => ({ row, verdict: absent(), evidence: proof, probedAt: t0 }));
    const write = () => open.ledger.rounds.recordVerdicts('r1', batch);
    await Promise.all([write(), write(), write()]);
    expect(await open.ledger.rounds.counts('r1')).toMatchObject({ verdicts: { absent: 40 } });
  });

  test('share evidence: it is stored once, however often it is written', async () => {
    await open.ledger.rounds.open(openInput('r1'));
    const batch = (codes: readonly string[]) =>
      codes.map((code, row) => ({ row, verdict: absent(), evidence: { ...proof, code }, probedAt: t0 + row }));
    await look(open.ledger, 'r1', [{ path: 'a' }, { path: 'b' }, { path: 'c' }]);
    await open.ledger.rounds.recordVerdicts('r1', batch(['x', 'y', 'x']));
    await open.ledger.rounds.recordVerdicts('r1', batch(['y', 'x', 'x']));
    expect(await rowsOf(open.db, sql`select count(*)::int as n from evidence`)).toEqual([{ n: 2 }]);
    const [first, second] = await open.ledger.rounds.toJudge('r1', { limit: 2 });
    expect(first?.evidence).not.toBe(second?.evidence);
  });
});

describe('settling', () => {
  const parentAbsent = unknown('parent-absent');

  test('finds what waits for its parent and what has an identity to look for, after a row', async () => {
    await wholeRound(open.ledger, 'r1', [{ path: 's/b', verdict: present('7') }]);
    await open.ledger.rounds.open(openInput('r2'));
    await look(open.ledger, 'r2', [
      { path: 's/a', verdict: parentAbsent },
      { path: 's/b', verdict: absent('7') },
      { path: 's/c', verdict: unknown() },
      { path: 's/d', verdict: absent() },
      { path: 's/e', verdict: parentAbsent },
    ]);
    const { rounds } = open.ledger;
    const waiting = await rounds.waitingForParent('r2', shop, -1, 10);
    expect(waiting).toEqual([
      { row: 0, path: at('s/a'), kind: 'table', verdict: parentAbsent, evidence: proof, probedAt: t0 },
      { row: 4, path: at('s/e'), kind: 'table', verdict: parentAbsent, evidence: proof, probedAt: t0 },
    ]);
    expect((await rounds.waitingForParent('r2', shop, 0, 10)).map(({ row }) => row)).toEqual([4]);
    expect(await rounds.absentWithIdentity('r2', shop, -1, 10)).toEqual([
      {
        row: 1,
        path: at('s/b'),
        kind: 'table',
        remembered: { uid: '7', found: 'table' },
        verdict: absent('7'),
        evidence: proof,
        probedAt: t0,
      },
    ]);
    await record('r2', 0, { kind: 'absent', code: 'parent-absent' });
    expect((await rounds.waitingForParent('r2', shop, -1, 10)).map(({ row }) => row)).toEqual([4]);
  });

  test('says which paths are registered, probed or not', async () => {
    await open.ledger.rounds.open(openInput('r1'));
    await look(open.ledger, 'r1', [{ path: 's/a', verdict: absent() }, { path: 's/b' }]);
    const asked = ['s/a', 's/b', 's/c'].map(at);
    expect(await open.ledger.rounds.registeredAt('r1', asked)).toEqual(new Set(['s/a', 's/b']));
    expect(await open.ledger.rounds.verdictsAt('r1', asked)).toEqual(new Map([['s/a', 'absent']]));
    expect(await open.ledger.rounds.registeredAt('r1', [])).toEqual(new Set());
  });
});
