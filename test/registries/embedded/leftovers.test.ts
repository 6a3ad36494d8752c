import { inspect } from 'node:util';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Registration } from '../../../src/domain/registration.ts';
import { rowsOf } from '../../../src/registries/embedded/database.ts';
import type { CatalogBench } from '../contract/registry-bench.ts';
import { type EmbeddedBench, openEmbeddedBench } from './embedded-bench.ts';

let bench: EmbeddedBench;
beforeAll(async () => {
  bench = await openEmbeddedBench();
});
afterAll(() => bench?.close());

const secret = 'hunter2-of-the-test';

/** Every row of every table that still names one of the entities, tombstones and events apart. */
async function leftovers(ids: readonly string[]): Promise<number> {
  const tables = ['entities', 'entity_tags', 'entity_policies', 'entity_grants', 'entity_secrets'];
  let left = 0;
  for (const table of tables) {
    const column = sql.identifier(table === 'entities' ? 'id' : 'entity_id');
    const list = sql.join(
      ids.map((id) => sql`${id}`),
      sql`, `,
    );
    const [row] = await rowsOf<{ n: number }>(
      bench.db,
      sql`select count(*)::int as n from registry.${sql.identifier(table)} where ${column} in (${list})`,
    );
    left += row?.n ?? 0;
  }
  return left;
}

/** A schema and a table, both with everything that can be attached. */
async function attended(catalog: CatalogBench): Promise<readonly [Registration, Registration]> {
  const schema = await catalog.add('schema', ['s']);
  const table = await catalog.add('table', ['s', 't']);
  for (const { id } of [schema, table]) {
    await bench.desk.alter({
      catalog: catalog.name,
      actor: 'ann',
      target: { by: 'id', id },
      change: {
        owner: 'ada',
        tags: ['a', 'b', 'c'],
        policies: ['mask'],
        grants: [
          { principal: 'ann', privilege: 'select' },
          { principal: 'bob', privilege: 'select' },
        ],
        secrets: { key: secret },
      },
    });
  }
  return [schema, table];
}

describe('nothing dangles', () => {
  test('B70 B71 a removal with contents takes grants, policies, tags and secrets along', async () => {
    const catalog = await bench.catalog();
    const [schema, table] = await attended(catalog);
    expect(await leftovers([schema.id, table.id])).toBe(16);
    const signal = new AbortController().signal;
    const now = await bench.registry.registration(catalog.name, schema.id, signal);
    const inside = await bench.registry.inside(catalog.name, ['s'], signal);
    const answer = await bench.registry.remove({
      catalog: catalog.name,
      id: schema.id,
      kind: 'schema',
      path: ['s'],
      intentId: 'an intent',
      expectedVersion: now?.version ?? '',
      expectedInside: inside.map(({ id, version }) => ({ id, version })),
      actor: 'reconciler',
      notAfter: bench.clock.now,
    });
    expect(answer).toEqual({ outcome: 'removed', entities: 2 });
    expect(await leftovers([schema.id, table.id])).toBe(0);
  });

  test('a person’s cascading drop does so too, and leaves tombstones without an intent', async () => {
    const catalog = await bench.catalog();
    const [schema, table] = await attended(catalog);
    await catalog.drop(schema.id);
    expect(await leftovers([schema.id, table.id])).toBe(0);
    const stones = await rowsOf<Record<string, unknown>>(
      bench.db,
      sql`select path_key, version, dropped_by, intent_id from registry.tombstones
          where catalog = ${catalog.name} order by path_key`,
    );
    expect(stones).toEqual([
      { path_key: 's', version: 2, dropped_by: 'ann', intent_id: null },
      { path_key: 's/t', version: 2, dropped_by: 'ann', intent_id: null },
    ]);
  });

  test('a dropped catalog keeps no secret', async () => {
    const name = 'with a password';
    const { id } = await bench.desk.createCatalog(
      { name, provider: 'postgresql', secrets: { password: secret } },
      'op',
    );
    await bench.desk.dropCatalog(name, { actor: 'op' });
    const rows = await rowsOf(bench.db, sql`select 1 from registry.catalog_secrets where catalog_id = ${id}`);
    expect(rows).toEqual([]);
  });
});

describe('a secret', () => {
  test('is in no answer of the port or the desk, in no event and no tombstone', async () => {
    const catalog = await bench.catalog();
    const [schema, table] = await attended(catalog);
    await bench.desk.alterCatalog(catalog.name, { secrets: { password: secret } }, { actor: 'op' });
    const signal = new AbortController().signal;
    const shown: unknown[] = [
      await bench.registry.catalogs(signal),
      await bench.registry.catalog(catalog.name, signal),
      await bench.registry.registrations(catalog.name, { limit: 10 }, signal),
      [...(await bench.registry.attachments(catalog.name, [schema.id, table.id], signal))],
      await bench.desk.catalog(catalog.name),
      await bench.desk.entity(catalog.name, { by: 'id', id: table.id }),
    ];
    await catalog.drop(schema.id);
    shown.push(
      await bench.desk.events(catalog.name, 0, 1_000),
      await rowsOf(bench.db, sql`select * from registry.tombstones`),
    );
    expect(JSON.stringify(shown)).not.toContain(secret);
    expect(await bench.registry.catalogConnection(catalog.name)).toMatchObject({ secrets: { password: secret } });
  });

  test('is not in the error of a statement that could not write it', async () => {
    const catalog = await bench.catalog();
    const [schema] = await attended(catalog);
    const broken = `${secret}\u0000`; // text columns hold no NUL
    const error: unknown = await bench.desk
      .alter({
        catalog: catalog.name,
        actor: 'ann',
        target: { by: 'id', id: schema.id },
        change: { secrets: { key: broken } },
      })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'ReconcilerFailure', code: '22021' });
    expect(inspect(error, { depth: 10 })).not.toContain(secret);
  });

  test('that is set again to the same raises no version; another one does', async () => {
    const catalog = await bench.catalog();
    const [schema] = await attended(catalog);
    const set = (key: string | null) =>
      bench.desk.alter({
        catalog: catalog.name,
        actor: 'ann',
        target: { by: 'id', id: schema.id },
        change: { secrets: { key } },
      });
    expect((await set(secret)).version).toBe('2');
    expect((await set('another')).version).toBe('3');
    expect((await set(null)).version).toBe('4');
    expect((await set(null)).version).toBe('4');
  });
});
