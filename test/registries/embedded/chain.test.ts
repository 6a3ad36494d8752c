import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rowsOf } from '../../../src/registries/embedded/database.ts';
import { type EmbeddedBench, openEmbeddedBench } from './embedded-bench.ts';

const statements: string[] = [];
let bench: EmbeddedBench;
beforeAll(async () => {
  bench = await openEmbeddedBench({ logger: { logQuery: (query) => void statements.push(query) } });
  await bench.desk.createCatalog({ name: 'lowered', provider: 'postgresql', caseRule: 'lower' }, 'operator');
  await bench.desk.create({ catalog: 'lowered', actor: 'ann', kind: 'schema', path: ['S'] });
});
afterAll(() => bench?.close());
beforeEach(() => void (statements.length = 0));

/** Verb and table of each statement, in order; reads of entities are left out. */
function traffic(): string[] {
  return statements.flatMap((statement) => {
    const [, verb, table] = /^\s*(select|insert|update|delete).*?"registry"\."(\w+)"/s.exec(statement) ?? [];
    if (verb === undefined || table === undefined) return [];
    if (verb === 'select' && table !== 'catalogs') return [];
    return [statement.includes('for update') ? `lock ${table}` : `${verb} ${table}`];
  });
}

const inSchema = (name: string) => ({ by: 'path', kind: 'table', path: ['s', name] }) as const;
const create = (name: string) =>
  bench.desk.create({ catalog: 'lowered', actor: 'ann', kind: 'table', path: ['S', name] });
const drop = (name: string, expectedVersion?: string) =>
  bench.desk.drop({
    catalog: 'lowered',
    actor: 'bob',
    target: inSchema(name),
    cascade: false,
    ...(expectedVersion === undefined ? {} : { expectedVersion }),
  });

describe('event → normalize → hook → operation', () => {
  test('a drop: names first, then one locked transaction with each link’s part before the rows go', async () => {
    await create('Orders');
    statements.length = 0;
    await drop('ORDERS');
    expect(traffic()).toEqual([
      'select catalogs', // normalize asks for the case rule
      'lock catalogs', // operation
      'delete entity_grants', // hook
      'delete entity_policies', // hook
      'insert events', // event
      'insert tombstones', // operation
      'insert lake_leftovers', // what belongs to a table's format goes first
      'delete lake_commits',
      'delete lake_past_commits',
      'delete lake_tables',
      'delete entity_tags',
      'delete entity_secrets',
      'delete entities',
    ]);
  });

  test('a creation: the hook’s owner is there when the operation writes, the event tells the normal name', async () => {
    const { path, attachments } = await create('Items');
    expect(path).toEqual(['s', 'items']);
    expect(attachments.owner).toBe('ann');
    expect(traffic()).toEqual(['select catalogs', 'lock catalogs', 'insert entities', 'insert events']);
    expect((await events()).at(-1)).toMatchObject({
      type: 'created',
      outcome: 'ok',
      actor: 'ann',
      path: ['s', 'items'],
    });
  });

  test('a refused operation is told as failed, with its actor, after its transaction was undone', async () => {
    await create('Kept');
    statements.length = 0;
    await expect(drop('Kept', '77')).rejects.toMatchObject({ reason: 'version-conflict' });
    expect(traffic()).toEqual(['select catalogs', 'lock catalogs', 'lock catalogs', 'insert events']);
    expect((await events()).at(-1)).toMatchObject({
      type: 'removed',
      outcome: 'failed',
      reason: 'version-conflict',
      actor: 'bob',
      kind: 'table',
    });
  });

  test('a bad name never reaches hook or operation, and is still told', async () => {
    await expect(create('x'.repeat(256))).rejects.toMatchObject({ reason: 'invalid-name' });
    expect(traffic()).toEqual(['select catalogs', 'lock catalogs', 'insert events']);
    expect((await events()).at(-1)).toMatchObject({ type: 'created', outcome: 'failed', reason: 'invalid-name' });
  });

  test('what is not registered affects no entity, so no event tells of it', async () => {
    const before = (await events()).length;
    await expect(drop('nothing')).rejects.toMatchObject({ reason: 'not-found' });
    expect(await events()).toHaveLength(before);
  });
});

describe('events of a removal', () => {
  test('one for each entity that went, with the actor and in one moment', async () => {
    const catalog = await bench.catalog();
    const schema = await catalog.add('schema', ['s']);
    const table = await catalog.add('table', ['s', 't']);
    await bench.registry.remove(removal(catalog.name, schema, [table], 'reconciler'));
    const removed = (await events(catalog.name)).filter(({ type }) => type === 'removed');
    expect(removed).toMatchObject([
      { outcome: 'ok', actor: 'reconciler', path: ['s'], entityId: schema.id, kind: 'schema', at: bench.clock.now },
      { outcome: 'ok', actor: 'reconciler', path: ['s', 't'], entityId: table.id, kind: 'table', at: bench.clock.now },
    ]);
  });

  test.each([
    ['present', 'present: s'],
    ['unknown', 'refused: source-unknown'],
  ] as const)('a failed one where the source says %s', async (answer, reason) => {
    const catalog = await bench.catalog();
    const schema = await catalog.add('schema', ['s']);
    catalog.sourceSays(['s'], answer);
    await bench.registry.remove(removal(catalog.name, schema, [], 'grace'));
    expect((await events(catalog.name)).at(-1)).toMatchObject({
      type: 'removed',
      outcome: 'failed',
      reason,
      actor: 'grace',
      entityId: schema.id,
    });
  });

  test('none for what is gone already', async () => {
    const catalog = await bench.catalog();
    const schema = await catalog.add('schema', ['s']);
    await catalog.drop(schema.id);
    const before = (await events(catalog.name)).length;
    await bench.registry.remove(removal(catalog.name, schema, [], 'grace'));
    expect(await events(catalog.name)).toHaveLength(before);
  });

  test('an operation that breaks in the middle leaves everything, and a failed event', async () => {
    const catalog = await bench.catalog();
    const schema = await catalog.add('schema', ['s']);
    // A tombstone that is there already is what makes the transaction break half way.
    await bench.db.execute(sql`
      insert into registry.tombstones (entity_id, metalake, catalog, catalog_id, kind, path_key, version, registered_at,
        dropped_at, dropped_by) values (${schema.id}, 'm', 'c', 'x', 'schema', 's', 1, 0, 0, 'nobody')`);
    await bench.desk.alter({
      catalog: catalog.name,
      actor: 'ann',
      target: { by: 'id', id: schema.id },
      change: { grants: [{ principal: 'ann', privilege: 'use' }], secrets: { key: 'hunter2' } },
    });
    const version = '2';
    expect(await bench.registry.remove(removal(catalog.name, { ...schema, version }, [], 'grace'))).toEqual({
      outcome: 'unknown',
      reason: '23505',
    });
    expect(await bench.desk.entity(catalog.name, { by: 'id', id: schema.id })).toMatchObject({
      version,
      attachments: { grants: [{ principal: 'ann', privilege: 'use' }] },
    });
    const [secrets] = await rowsOf<{ n: number }>(
      bench.db,
      sql`select count(*)::int as n from registry.entity_secrets where entity_id = ${schema.id}`,
    );
    expect(secrets?.n).toBe(1);
    expect((await events(catalog.name)).at(-1)).toMatchObject({ outcome: 'failed', reason: '23505', actor: 'grace' });
  });
});

function events(catalog = 'lowered') {
  return bench.desk.events(catalog, 0, 1_000);
}

function removal(
  catalog: string,
  {
    id,
    kind,
    path,
    version,
  }: { id: string; kind: 'schema' | 'table' | 'view' | 'topic'; path: readonly [string, ...string[]]; version: string },
  inside: readonly { readonly id: string; readonly version: string }[],
  actor: string,
) {
  return {
    catalog,
    id,
    kind,
    path,
    intentId: `intent-${id}`,
    expectedVersion: version,
    expectedInside: inside.map((child) => ({ id: child.id, version: child.version })),
    actor,
    notAfter: bench.clock.now,
  };
}
