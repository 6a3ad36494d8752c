import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pathText } from '../../src/domain/path.ts';
import type { FindingQuery, FindingRecord } from '../../src/ledger/ledger.ts';
import { decisions, evidence, findings } from '../../src/ledger/schema.ts';
import { openTestLedger, type TestLedger } from '../support/ledger.ts';
import {
  absent,
  at,
  hour,
  openInput,
  opening,
  present,
  publishing,
  replaced,
  shop,
  t0,
  wholeRound,
} from './rounds/scene.ts';

let open: TestLedger;
beforeAll(async () => {
  open = await openTestLedger();
});
beforeEach(() => open.reset());
afterAll(() => open.close());

const gone = (path: string) => ({ path, verdict: absent() });

async function allPages(
  query: Omit<FindingQuery, 'catalog' | 'limit'>,
  limit: number,
): Promise<readonly FindingRecord[]> {
  const all: FindingRecord[] = [];
  // bounded, since a page that comes again and again is what is looked for
  for (let pages = 0; pages < 50; pages += 1) {
    const last = all.at(-1);
    const after = last === undefined ? {} : { after: { path: last.path, id: last.id } };
    const page = await open.ledger.findings.page({ catalog: shop, limit, ...query, ...after }, t0);
    all.push(...page);
    if (page.length < limit) return all;
  }
  throw new Error('the pages do not end');
}
const texts = (rows: readonly FindingRecord[]) => rows.map(({ path }) => pathText(path));

describe('a page of findings', () => {
  const paths = ['a', 'a/z', 'a-b', 'a/B', 'b/%uD800', 'b/é', 'b/\u{10000}', 'b/\uffff', 'c/%2F'];
  // by code point: what lies inside a container stands together
  const inOrder = ['a', 'a-b', 'a/B', 'a/z', 'b/%uD800', 'b/é', 'b/\uffff', 'b/\u{10000}', 'c/%2F'];

  test('comes in order of path by code point, without gaps, in bites of any size', async () => {
    await wholeRound(open.ledger, 'r1', paths.map(gone));
    for (const limit of [1, 2, 4, 9, 50]) expect(texts(await allPages({ state: 'open' }, limit))).toEqual(inOrder);
  });

  test('of open and closed ones is one list', async () => {
    await wholeRound(open.ledger, 'r1', paths.map(gone));
    const again = inOrder.filter((_path, index) => index % 2 === 0);
    await wholeRound(open.ledger, 'r2', again.map(gone), { now: t0 + hour });
    for (const limit of [1, 3, 50]) expect(texts(await allPages({}, limit))).toEqual(inOrder);
    expect(texts(await allPages({ state: 'open' }, 2))).toEqual(again);
    expect(texts(await allPages({ state: 'closed' }, 2))).toEqual(inOrder.filter((path) => !again.includes(path)));
  });

  test('can be of one kind, of one verdict, or of both', async () => {
    await wholeRound(open.ledger, 'r1', [
      { path: 's', verdict: absent() },
      { path: 's/a', verdict: replaced('1') },
      { path: 's/b', verdict: absent() },
      { path: 't', verdict: { kind: 'replaced', code: 'x', found: 'schema' } },
    ]);
    expect(texts(await allPages({ kind: 'schema' }, 1))).toEqual(['s', 't']);
    expect(texts(await allPages({ verdict: 'replaced', state: 'open' }, 1))).toEqual(['s/a', 't']);
    expect(texts(await allPages({ verdict: 'replaced', kind: 'table', state: 'open' }, 1))).toEqual(['s/a']);
    expect(await allPages({ verdict: 'copied' }, 1)).toEqual([]);
  });
});

describe('B46 one broken row', () => {
  beforeEach(() => wholeRound(open.ledger, 'r1', ['s/a', 's/b', 's/c'].map(gone)));

  test.each(['s/%zz', 's/%', '%25zz/%2', 'a%2fb'])(
    'with a path that nobody can have written (%s) is shown as it is and hides no other',
    async (broken) => {
      await open.db.update(findings).set({ path: broken }).where(eq(findings.path, 's/b'));
      for (const limit of [1, 2, 9]) {
        const all = await allPages({ state: 'open' }, limit);
        expect(all.map(({ path }) => path.join('/')).sort()).toEqual(['s/a', 's/c', broken].sort());
      }
      const found = await open.db.select({ id: findings.id }).from(findings).where(eq(findings.path, broken));
      expect((await open.ledger.findings.finding(found[0]?.id ?? '', t0))?.path).toEqual([broken]);
    },
  );

  test('whose evidence is lost claims nothing about it', async () => {
    await open.db.delete(evidence);
    const all = await allPages({ state: 'open' }, 2);
    expect(texts(all)).toEqual(['s/a', 's/b', 's/c']);
    expect(all[0]?.evidence).toMatchObject({ code: 'no-row', strength: 'ambiguous', source: '' });
  });
});

describe('the decision in force', () => {
  const anna = { name: 'anna', verified: true, via: 'api' } as const;

  async function decide(id: string, over: Partial<typeof decisions.$inferInsert>): Promise<void> {
    const finding = await open.ledger.findings.openAt(shop, at('s/a'), t0);
    if (finding === undefined) throw new Error('no finding');
    await open.db.insert(decisions).values({
      id,
      catalog: shop,
      finding: finding.id,
      entity: finding.entity,
      digest: finding.digest,
      actor: anna,
      action: 'approve',
      requestKey: id,
      at: t0,
      state: 'active',
      expiresAt: t0 + hour,
      ...over,
    });
  }
  const inForce = async (now = t0) => (await open.ledger.findings.openAt(shop, at('s/a'), now))?.decision?.id;

  beforeEach(() => wholeRound(open.ledger, 'r1', [gone('s/a'), gone('s/b')]));

  test('is one of exactly this evidence that has not expired', async () => {
    await decide('approved', {});
    expect(await inForce()).toBe('approved');
    expect(await inForce(t0 + hour)).toBeUndefined();
    expect((await allPages({}, 1)).map(({ decision }) => decision?.id)).toEqual(['approved', undefined]);
    await open.db.update(decisions).set({ digest: 'another' });
    expect(await inForce()).toBeUndefined();
  });

  test.each<[string, Partial<typeof decisions.$inferInsert>]>([
    ['void', { state: 'void' }],
    ['consumed', { state: 'consumed' }],
    ['about another finding of the entity', { finding: 'earlier' }],
    ['of another catalog', { catalog: 'lake/other' }],
    ['a keep that is over', { action: 'keep', keepUntil: t0 }],
  ])('is not one that is %s', async (_name, over) => {
    await decide('d', over);
    expect(await inForce()).toBeUndefined();
  });

  test('is a keep before all else, from an earlier finding too', async () => {
    await decide('rejected', { action: 'reject', expiresAt: null, at: t0 + 2 });
    await decide('kept', { action: 'keep', expiresAt: null, finding: 'earlier', digest: 'earlier', at: t0 - 1 });
    expect(await inForce()).toBe('kept');
    await open.db.update(decisions).set({ keepUntil: t0 + 1 });
    expect(await inForce(t0 + 1)).toBe('rejected');
  });

  test('is counted where it approves', async () => {
    const count = (now = t0) => open.ledger.findings.count(shop, now);
    expect(await count()).toEqual({ open: 2, due: 0, approved: 0, rejected: 0 });
    await decide('approved', {});
    expect(await count()).toEqual({ open: 2, due: 0, approved: 1, rejected: 0 });
    expect(await count(t0 + hour)).toEqual({ open: 2, due: 0, approved: 0, rejected: 0 });
    await open.db.update(findings).set({ standing: sql`jsonb_set(standing, '{due}', 'true')` });
    expect(await count()).toEqual({ open: 2, due: 2, approved: 1, rejected: 0 });
  });
});

test('a finding keeps what was attached, whatever people wrote', async () => {
  const attachments = {
    owner: 'a\0b',
    comment: '\ud800 \\u0000 "quoted" ',
    tags: ['\udfff', '😀'],
    policies: [],
    grants: [],
    properties: { 'key \ud800\0': 'value e000' },
  };
  const opened = await wholeRound(open.ledger, 'r1', [gone('s/a')]);
  expect(opened.open).toBe(1);
  const before = await open.ledger.findings.openAt(shop, at('s/a'), t0);
  if (before === undefined) throw new Error('no finding');
  await open.ledger.rounds.open(openInput('r2', { now: t0 + hour }));
  await open.ledger.rounds.appendSnapshot('r2', [
    { row: 0, entity: before.entity, kind: 'table', path: at('s/a'), version: 'v1', createdAt: t0, mark: 'probe' },
  ]);
  const row = { entity: before.entity, kind: 'table', path: at('s/a'), version: 'v1', createdAt: t0 } as const;
  await open.ledger.rounds.recordJudgements('r2', [
    opening(row, before.standing, { attachments, movedTo: ['\ud800', 'a/b'], carrier: ['s'], taken: true, uid: '7' }),
  ]);
  await open.ledger.rounds.publish(publishing('r2', { now: t0 + hour }));
  expect(await open.ledger.findings.openAt(shop, at('s/a'), t0)).toMatchObject({
    id: before.id,
    attachments,
    movedTo: ['\ud800', 'a/b'],
    carrier: ['s'],
    taken: true,
  });
});

test('a finding is found by id, and by path while it is open', async () => {
  await wholeRound(open.ledger, 'r1', [gone('s/a'), { path: 's/b', verdict: present() }]);
  const found = await open.ledger.findings.openAt(shop, at('s/a'), t0);
  expect(await open.ledger.findings.finding(found?.id ?? '', t0)).toEqual(found);
  expect(await open.ledger.findings.openAt('lake/other', at('s/a'), t0)).toBeUndefined();
  expect(await open.ledger.findings.finding('nowhere', t0)).toBeUndefined();
  await wholeRound(open.ledger, 'r2', [], { now: t0 + hour });
  expect(await open.ledger.findings.openAt(shop, at('s/a'), t0)).toBeUndefined();
  expect(await open.ledger.findings.finding(found?.id ?? '', t0)).toMatchObject({ closedWhy: 'not-registered' });
});
