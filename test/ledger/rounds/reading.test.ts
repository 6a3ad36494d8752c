import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pathText } from '../../../src/domain/path.ts';
import { findings, removals } from '../../../src/ledger/schema.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';
import { absent, at, hour, look, openInput, present, type Seen, shop, t0, unknown, wholeRound } from './scene.ts';

let open: TestLedger;
beforeAll(async () => {
  open = await openTestLedger();
});
beforeEach(() => open.reset());
afterAll(() => open.close());

describe('rounds of a catalog', () => {
  test('come newest first, page by page, scans among them', async () => {
    for (const [index, id] of ['a', 'b', 'c', 'd', 'e'].entries()) {
      // two of them at the same moment
      await open.ledger.rounds.open(openInput(id, { now: t0 + Math.min(index, 3), dry: id === 'c' }));
    }
    await open.ledger.rounds.open(openInput('other', { catalog: 'lake/other' }));
    const page = async (after?: string) =>
      (await open.ledger.rounds.rounds(shop, { limit: 2, ...(after === undefined ? {} : { after }) })).map(
        ({ id }) => id,
      );
    expect(await page()).toEqual(['e', 'd']);
    expect(await page('d')).toEqual(['c', 'b']);
    expect(await page('b')).toEqual(['a']);
    expect(await page('a')).toEqual([]);
    expect(await open.ledger.rounds.round('nowhere')).toBeUndefined();
  });
});

describe('known objects', () => {
  const known = async (limit: number) =>
    (await open.ledger.rounds.knownObjects(shop, limit)).map(({ path, kind }) => `${kind} ${pathText(path)}`);

  test('are spread over what the published round saw present, schemas and others', async () => {
    expect(await known(3)).toEqual([]);
    const schemas = ['a', 'b', 'c'].flatMap((schema): Seen[] => [
      { path: schema, verdict: present() },
      { path: `${schema}/1`, verdict: present() },
      { path: `${schema}/2`, verdict: absent() },
      { path: `${schema}/3`, verdict: unknown() },
    ]);
    await wholeRound(open.ledger, 'r1', schemas);
    expect(await known(3)).toEqual(['schema a', 'table b/1', 'schema c']);
    expect(await known(2)).toEqual(['schema a', 'table c/1']);
    expect(new Set(await known(20)).size).toBe(6);
    await open.ledger.rounds.open(openInput('r2'));
    expect(await known(1)).toEqual(['schema a']);
  });

  test('are those that there are, where few are present', async () => {
    await wholeRound(open.ledger, 'r1', [
      { path: 'a', verdict: absent() },
      { path: 'a/1', verdict: present() },
      { path: 'b', verdict: absent() },
    ]);
    expect(await known(3)).toEqual(['table a/1']);
  });
});

describe('what a scan found absent', () => {
  const seen: readonly Seen[] = [
    { path: 's', verdict: absent() },
    { path: 's/a', verdict: absent() },
    { path: 's/b', verdict: absent() },
    { path: 't', verdict: present() },
    { path: 'u', verdict: absent() },
    { path: 'v', verdict: unknown() },
  ];
  const answer = async (round: string) =>
    (await open.ledger.rounds.absent(round, { kind: 'schema', limit: 10 })).map((row) => ({
      ...row,
      path: pathText(row.path),
    }));

  beforeEach(async () => {
    await wholeRound(open.ledger, 'r1', seen);
    await open.ledger.rounds.open(openInput('s1', { dry: true, now: t0 + hour }));
    await look(open.ledger, 's1', [...seen, { path: 'w', verdict: absent() }], t0 + hour);
  });

  test('comes in order of path, of one kind or all, with its first miss', async () => {
    const probed = { kind: 'schema', probedAt: t0 + hour, removed: false };
    expect(await answer('s1')).toEqual([
      { ...probed, entity: 'id of s', path: 's', firstMissedAt: t0 },
      { ...probed, entity: 'id of u', path: 'u', firstMissedAt: t0 },
      { ...probed, entity: 'id of w', path: 'w' },
    ]);
    const two = await open.ledger.rounds.absent('s1', { after: at('s'), limit: 2 });
    expect(two.map(({ path }) => pathText(path))).toEqual(['s/a', 's/b']);
    expect((await answer('r1')).map(({ path, firstMissedAt }) => [path, firstMissedAt])).toEqual([
      ['s', t0],
      ['u', t0],
    ]);
  });

  test('says what was removed since, itself or with its container', async () => {
    const removal = async (path: string, when: number, outcome: 'removed' | 'present') =>
      open.db.insert(removals).values({
        id: `${path} ${when}`,
        catalog: shop,
        finding: 'f',
        entity: `id of ${path}`,
        kind: 'schema',
        path,
        actor: {
          name: 'anna',
          verified: true,
          via: 'api',
        },
        outcome,
        reason: '',
        entities: 1,
        evidence: '',
        at: when,
      });
    await removal('u', t0, 'removed');
    await removal('w', t0 + 2 * hour, 'present');
    expect((await answer('s1')).filter(({ removed }) => removed)).toEqual([]);
    await removal('u', t0 + 2 * hour, 'removed');
    await open.db.update(findings).set({ state: 'closed', closedWhy: 'already-gone' }).where(eq(findings.path, 's'));
    expect((await answer('s1')).map(({ path, removed, firstMissedAt }) => [path, removed, firstMissedAt])).toEqual([
      ['s', true, t0],
      ['u', true, t0],
      ['w', false, undefined],
    ]);
  });

  test('cannot be asked of a round that was never opened', async () => {
    await expect(open.ledger.rounds.absent('nowhere', { limit: 1 })).rejects.toMatchObject({ type: 'InvalidRequest' });
  });
});
