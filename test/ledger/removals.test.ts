import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Attachments } from '../../src/domain/registration.ts';
import { catalogs, identities, removals, savedAttachments, snapshot } from '../../src/ledger/schema.ts';
import { openTestLedger, type TestLedger } from '../support/ledger.ts';
import { anna, key, seedCatalog, seedFinding, seedIntent, t0 } from './seed.ts';

let at: TestLedger;
beforeAll(async () => {
  at = await openTestLedger();
});
afterAll(() => at.close());
beforeEach(async () => {
  await at.reset();
  await seedCatalog(at.db);
});

async function seedSnapshot(round: string, paths: readonly string[]): Promise<void> {
  await at.db.insert(snapshot).values(
    paths.map((path, row) => ({
      round,
      row,
      entity: `entity of ${path}`,
      kind: path.includes('/') ? ('table' as const) : ('schema' as const),
      path,
      version: round,
      createdAt: t0,
      mark: 'probe' as const,
    })),
  );
}

describe('what was judged inside a container', () => {
  test('is what the published round listed there, at any depth, in order of path', async () => {
    await seedSnapshot('r7', ['sales', 'sales/b', 'sales/a/x', 'sales/a', 'sales0', 'sales!', 'salesx/a']);
    await seedSnapshot('r6', ['sales/older']);
    expect(await at.ledger.removals.judgedInside(key, ['sales'])).toEqual(
      ['sales/a', 'sales/a/x', 'sales/b'].map((path) => ({
        id: `entity of ${path}`,
        version: 'r7',
        kind: 'table',
        path: path.split('/'),
      })),
    );
  });

  test('B43 stays what it was when the intent was opened, whatever a newer round has listed since', async () => {
    const sales = await seedFinding(at.db, 'sales', { kind: 'schema', path: 'sales', inside: 1 });
    await seedSnapshot('r7', ['sales', 'sales/a']);
    await seedSnapshot('r8', ['sales', 'sales/a', 'sales/new']);
    await seedIntent(at.db, 'i1', sales);
    await at.db.update(catalogs).set({ publishedRound: 'r8' });
    const inside = await at.ledger.removals.judgedInside(key, ['sales']);
    expect(inside.map(({ path }) => path.join('/'))).toEqual(['sales/a']);
  });

  test('is nothing before the first round', async () => {
    await seedCatalog(at.db, { publishedRound: null });
    expect(await at.ledger.removals.judgedInside(key, ['sales'])).toEqual([]);
    expect(await at.ledger.removals.judgedInside('lake/nobody', ['sales'])).toEqual([]);
  });

  test('is read whole from a container larger than a statement takes', async () => {
    await seedSnapshot('r7', ['sales']);
    await at.db.execute(sql`
      insert into snapshot select copy.* from snapshot s, generate_series(1, 20001) i, jsonb_populate_record(s,
        jsonb_build_object('row', i, 'entity', 'e' || i, 'path', 'sales/t' || i)) copy
      where s.row = 0`);
    expect(await at.ledger.removals.judgedInside(key, ['sales'])).toHaveLength(20_001);
  });
});

test('identities are those of the asked entities, under the present fingerprint', async () => {
  await at.db.insert(identities).values([
    { catalog: key, entity: 'a', uid: '1', found: 'table', fingerprint: 'f1' },
    { catalog: key, entity: 'b', uid: null, found: 'view', fingerprint: 'f1' },
    { catalog: key, entity: 'c', uid: '3', found: 'table', fingerprint: 'f0' },
    { catalog: key, entity: 'd', uid: '4', found: 'table', fingerprint: 'f1' },
    { catalog: 'lake/other', entity: 'a', uid: '9', found: 'table', fingerprint: 'f1' },
  ]);
  const known = await at.ledger.removals.identitiesOf(key, ['a', 'b', 'c', 'nobody']);
  expect([...known]).toEqual([
    ['a', { uid: '1', found: 'table' }],
    ['b', { found: 'view' }],
  ]);
  expect((await at.ledger.removals.identitiesOf(key, [])).size).toBe(0);
});

describe('saved attachments', () => {
  const body: Attachments = {
    owner: 'anna',
    tags: ['pii'],
    policies: [],
    grants: [{ principal: 'ben', privilege: 'select' }],
    properties: { note: 'a\u0000b' },
  };
  const saved = (entity: string, over: Partial<{ body: Attachments | 'unseen'; version: string }> = {}) => ({
    entity,
    kind: 'table' as const,
    path: ['sales', entity] as const,
    version: '1',
    body,
    ...over,
  });

  test('come back as they were', async () => {
    await at.ledger.removals.saveAttachments('i1', [saved('a'), saved('b', { body: 'unseen' })]);
    const rows = await at.db.select().from(savedAttachments).orderBy(savedAttachments.entity);
    expect(rows).toEqual([
      { intent: 'i1', entity: 'a', kind: 'table', path: 'sales/a', version: '1', body },
      { intent: 'i1', entity: 'b', kind: 'table', path: 'sales/b', version: '1', body: 'unseen' },
    ]);
  });

  test('saved again are replaced, not doubled', async () => {
    await at.ledger.removals.saveAttachments('i1', [saved('a')]);
    await at.ledger.removals.saveAttachments('i1', [saved('a', { version: '2', body: 'unseen' })]);
    expect(await at.db.select().from(savedAttachments)).toMatchObject([{ version: '2', body: 'unseen' }]);
  });

  test('of a large container fit, and of none at all too', async () => {
    await at.ledger.removals.saveAttachments('i1', []);
    const many = Array.from({ length: 5_001 }, (_unused, i) => saved(`e${i}`, { body: 'unseen' }));
    await at.ledger.removals.saveAttachments('i1', many);
    expect(await at.db.$count(savedAttachments, eq(savedAttachments.intent, 'i1'))).toBe(5_001);
  });
});

test('removals are paged newest first, without gap or repeat where several share a moment', async () => {
  const row = (id: string, when: number, catalog = key) => ({
    id,
    catalog,
    finding: `f${id}`,
    entity: `e${id}`,
    kind: 'table' as const,
    path: `sales/${id}`,
    actor: anna,
    outcome: 'removed' as const,
    reason: 'gone',
    entities: 1,
    evidence: 'seen',
    at: when,
  });
  await at.db
    .insert(removals)
    .values([row('e', t0), row('b', t0 + 1), row('a', t0 + 1), row('c', t0 + 1), row('d', t0), row('x', t0, 'lake/o')]);
  const seen: string[] = [];
  for (let after: { at: number; id: string } | undefined; ; ) {
    const page = await at.ledger.removals.page({ catalog: key, limit: 2, ...(after === undefined ? {} : { after }) });
    seen.push(...page.map(({ id }) => id));
    after = page.at(-1);
    if (page.length < 2) break;
  }
  expect(seen).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(await at.ledger.removals.removal('a')).toMatchObject({ id: 'a', path: ['sales', 'a'], at: t0 + 1 });
  expect(await at.ledger.removals.removal('nobody')).toBeUndefined();
});
