import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Path, pathText } from '../../../src/domain/path.ts';
import { defaultPolicy } from '../../../src/domain/policy.ts';
import type { JudgeRow } from '../../../src/ledger/ledger.ts';
import { findings, intents } from '../../../src/ledger/schema.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';
import {
  absent,
  at,
  closing,
  hour,
  judge,
  look,
  openInput,
  opening,
  present,
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

async function allToJudge(round: string, limit: number): Promise<readonly JudgeRow[]> {
  const rows: JudgeRow[] = [];
  for (let after: Path | undefined; ; ) {
    const page = await open.ledger.rounds.toJudge(round, { ...(after === undefined ? {} : { after }), limit });
    rows.push(...page);
    const last = page.at(-1);
    if (last === undefined) return rows;
    after = last.path;
  }
}
const pathsOf = (rows: readonly { readonly path: Path }[]) => rows.map(({ path }) => pathText(path));

describe('what is to be judged', () => {
  const first: readonly Seen[] = [
    { path: 's/a', verdict: absent() },
    { path: 's/b', verdict: absent() },
    { path: 's/c', verdict: absent() },
    { path: 's/d', verdict: absent() },
    { path: 's/e', verdict: absent() },
    { path: 's/z', verdict: present() },
  ];

  test('is what is not present, and whatever has a finding, in order of path', async () => {
    await wholeRound(open.ledger, 'r1', first);
    await open.ledger.rounds.open(openInput('r2'));
    await look(open.ledger, 'r2', [
      { path: 's/z', verdict: present() },
      { path: 's/y', verdict: replaced('9') },
      { path: 's/x', verdict: unknown() },
      { path: 's/e', mark: 'excluded' },
      { path: 's/d' },
      { path: 's/c', verdict: unknown() },
      { path: 's/b', verdict: present() },
      { path: 's/a', verdict: absent() },
    ]);
    for (const limit of [1, 2, 3, 100]) {
      const rows = await allToJudge('r2', limit);
      expect(rows.map(({ path, verdict, before, mark }) => [pathText(path), verdict?.kind, before?.id, mark])).toEqual([
        ['s/a', 'absent', expect.any(String), 'probe'],
        ['s/b', 'present', expect.any(String), 'probe'],
        ['s/c', 'unknown', expect.any(String), 'probe'],
        ['s/d', undefined, expect.any(String), 'probe'],
        ['s/e', undefined, expect.any(String), 'excluded'],
        ['s/y', 'replaced', undefined, 'probe'],
      ]);
    }
    expect(await open.ledger.rounds.unregistered('r2')).toEqual([]);
  });

  test('B82 five pages in bites of any size leave no gap and repeat nothing', async () => {
    await open.ledger.rounds.open(openInput('r1'));
    const paths = Array.from({ length: 23 }, (_unused, index) => `s${index % 3}/t${index}`);
    await look(
      open.ledger,
      'r1',
      paths.map((path) => ({ path, verdict: absent() })),
    );
    const inOrder = [...paths].sort();
    for (const limit of [1, 5, 22, 23, 24]) expect(pathsOf(await allToJudge('r1', limit))).toEqual(inOrder);
    for (const limit of [1, 7, 50]) {
      const found: string[] = [];
      for (let after: Path | undefined; ; ) {
        const page = await open.ledger.rounds.absent('r1', { ...(after === undefined ? {} : { after }), limit });
        found.push(...pathsOf(page));
        after = page.at(-1)?.path;
        if (after === undefined) break;
      }
      expect(found).toEqual(inOrder);
    }
  });

  test('carries the finding as the last published round left it, and whether its removal runs', async () => {
    await wholeRound(open.ledger, 'r1', first);
    const [a] = await open.ledger.findings.page({ catalog: shop, limit: 1 }, t0);
    if (a === undefined) throw new Error('no finding');
    await open.db.insert(intents).values({
      id: 'i1',
      catalog: shop,
      finding: a.id,
      entity: a.entity,
      kind: a.kind,
      path: 's/a',
      version: a.version,
      digest: a.digest,
      actor: {
        name: 'anna',
        verified: true,
        via: 'api',
      },
      round: 'r1',
      openedAt: t0,
      actBefore: t0 + 1,
      state: 'open',
    });
    await open.ledger.rounds.open(openInput('r2'));
    await look(open.ledger, 'r2', first);
    const rows = await allToJudge('r2', 2);
    expect(rows[0]?.before).toEqual({
      id: a.id,
      standing: a.standing,
      evidence: expect.stringMatching(/^[0-9a-f]{32}$/),
      intentOpen: true,
      taken: false,
    });
    expect(rows.slice(1).every(({ before }) => before?.intentOpen === false)).toBe(true);
  });

  test('B74 leaves out what was removed while the round looked', async () => {
    await wholeRound(open.ledger, 'r1', first);
    await open.ledger.rounds.open(openInput('r2', { now: t0 + hour }));
    await look(open.ledger, 'r2', first);
    await open.db.update(findings).set({ state: 'closed', closedWhy: 'removed' }).where(eq(findings.path, 's/b'));
    expect(pathsOf(await allToJudge('r2', 2))).toEqual(['s/a', 's/c', 's/d', 's/e']);
    expect(await open.ledger.rounds.unregistered('r2')).toEqual([]);
  });

  test('finds a registration again that the registry moved, and those that it no longer lists', async () => {
    await wholeRound(open.ledger, 'r1', first);
    await open.ledger.rounds.open(openInput('r2'));
    await look(open.ledger, 'r2', [
      { path: 'new/a', entity: 'id of s/a', verdict: absent() },
      { path: 's/b', entity: 'another one', verdict: present() },
      { path: 's/c', verdict: present() },
    ]);
    const rows = await allToJudge('r2', 1);
    expect(rows.map(({ entity, before }) => [entity, before?.standing.misses])).toEqual([
      ['id of s/a', 1],
      ['id of s/c', 1],
    ]);
    expect(await open.ledger.rounds.unregistered('r2')).toEqual(
      ['id of s/b', 'id of s/d', 'id of s/e'].map((entity) => ({ entity })),
    );
  });

  test('B22 keeps to its own catalog', async () => {
    await wholeRound(open.ledger, 'r1', first);
    await open.ledger.rounds.open(openInput('other', { catalog: 'lake/other' }));
    await look(open.ledger, 'other', first);
    const rows = await allToJudge('other', 10);
    expect(rows).toHaveLength(5);
    expect(rows.every(({ before }) => before === undefined)).toBe(true);
    expect(await open.ledger.rounds.unregistered('other')).toEqual([]);
  });
});

describe('judgements', () => {
  const row = { entity: 'e', kind: 'table', path: at('s/a'), version: 'v1', createdAt: t0 } as const;

  test('may be written again, in part and with another outcome', async () => {
    const opened = await open.ledger.rounds.open(openInput('r1'));
    await look(open.ledger, 'r1', [
      { path: 's/a', verdict: absent() },
      { path: 's/b', verdict: absent() },
    ]);
    const eyes = { now: t0, epoch: 'e1', policy: defaultPolicy };
    await judge(open.ledger, opened, eyes);
    await judge(open.ledger, opened, { ...eyes, epoch: 'e2' });
    await open.ledger.rounds.publish({
      id: 'r1',
      now: t0,
      hold: [],
      epoch: 'e2',
      fingerprint: 'f',
      principal: 'p',
    });
    const page = await open.ledger.findings.page({ catalog: shop, limit: 10 }, t0);
    expect(page.map(({ standing }) => standing.epoch)).toEqual(['e2', 'e2']);
  });

  test('of two registrations under one id make the round incomplete', async () => {
    await open.ledger.rounds.open(openInput('r1'));
    const standing = closing('e').standing;
    const { rounds } = open.ledger;
    const incomplete = { type: 'SnapshotIncomplete', code: 'one-id-twice' };
    const twice = [opening(row, standing), opening({ ...row, path: at('s/b') }, standing)];
    await expect(rounds.recordJudgements('r1', twice)).rejects.toMatchObject(incomplete);
    await rounds.recordJudgements('r1', twice.slice(0, 1));
    await expect(rounds.recordJudgements('r1', twice.slice(1))).rejects.toMatchObject(incomplete);
    await rounds.recordJudgements('r1', twice.slice(0, 1));
  });
});
