import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { UpdateTableSpec } from '../../../../src/delta/backend.ts';
import type { Commit, ResolvedTable } from '../../../../src/delta/table.ts';
import { rowsOf } from '../../../../src/registries/embedded/database.ts';
import { sql } from 'drizzle-orm';
import { type LakeBench, idColumn, openLakeBench, serverRoot } from './lake-bench.ts';

let bench: LakeBench;
let name: string;
let count = 0;
beforeAll(async () => {
  bench = await openLakeBench();
});
afterAll(() => bench?.close());
beforeEach(() => {
  count += 1;
  name = `t${count}`;
});

const commit = (version: bigint, fileName = `${version}.json`): Commit => ({
  version,
  timestamp: 9_223_372_036_854_775_807n,
  fileName,
  fileSize: 101n,
  fileModificationTimestamp: 1n,
});

/** The same again, as a change of metadata. */
function same(table: ResolvedTable, over: Partial<UpdateTableSpec> = {}): UpdateTableSpec {
  return {
    tableId: table.tableId ?? '',
    columns: table.columns,
    properties: table.properties,
    metadataChanged: true,
    expectedMetadataVersion: table.metadataVersion,
    ...over,
  };
}

function update(table: string, over: Partial<UpdateTableSpec> = {}): Promise<ResolvedTable> {
  return bench.backend.withTableUnitOfWork(bench.ref(table), bench.caller, (unit) =>
    unit.updateTableRow(same(unit.table, over)),
  );
}

function apply(table: string, change: Parameters<LogOf['apply']>[0]): Promise<boolean> {
  return bench.backend.withTableUnitOfWork(bench.ref(table), bench.caller, ({ log }) => log.apply(change));
}
type LogOf = Parameters<Parameters<LakeBench['backend']['withTableUnitOfWork']>[2]>[0]['log'];

const registration = async (table: string) =>
  bench.desk.entity('lake', { by: 'path', kind: 'table', path: ['s', table] });

describe('a table of the lake is a registration', () => {
  test('an external one is probed and may go; its location, comment and properties are there', async () => {
    await bench.external(name, { comment: 'hers' });
    expect(await registration(name)).toMatchObject({
      kind: 'table',
      managed: false,
      version: '1',
      storageLocation: `file:///data/${name}`,
      attachments: { owner: 'ann', comment: 'hers', properties: { a: '1' } },
    });
  });

  test('a managed one is never removed', async () => {
    const { tableId } = await bench.managed(name);
    const { id, version } = await registration(name);
    expect(id).toBe(tableId);
    const answer = await bench.registry.remove({
      catalog: 'lake',
      id,
      kind: 'table',
      path: ['s', name],
      intentId: 'i',
      expectedVersion: version,
      expectedInside: [],
      actor: 'reconciler',
      notAfter: bench.clock.now,
    });
    expect(answer).toEqual({ outcome: 'refused', reason: 'managed' });
  });

  test('attachments raise its version only; metadata and names raise both counters', async () => {
    await bench.external(name);
    const counters = async (table = name) => {
      const { metadataVersion } = await bench.backend.resolveTable(bench.ref(table));
      return [(await registration(table)).version, metadataVersion];
    };
    expect(await counters()).toEqual(['1', 1n]);
    const target = { by: 'path', kind: 'table', path: ['s', name] } as const;
    await bench.desk.alter({ catalog: 'lake', actor: 'ann', target, change: { tags: ['pii'], owner: 'bob' } });
    expect(await counters()).toEqual(['2', 1n]);
    await update(name);
    expect(await counters()).toEqual(['3', 2n]);
    await update(name, { metadataChanged: false, properties: new Map([['mark', '7']]) });
    expect(await counters()).toEqual(['3', 2n]);
    await bench.desk.alter({ catalog: 'lake', actor: 'ann', target, change: { properties: { b: '2' } } });
    expect(await counters()).toEqual(['4', 3n]);
    await bench.backend.renameTable(bench.ref(name), `${name}x`, bench.caller);
    expect(await counters(`${name}x`)).toEqual(['5', 4n]);
  });

  test('an external one goes by comparing id and version, and comes back with another etag', async () => {
    const before = await bench.external(name);
    const { id, version, attachments } = await registration(name);
    const request = {
      catalog: 'lake',
      id,
      kind: 'table',
      path: ['s', name],
      intentId: `i-${name}`,
      expectedInside: [],
      actor: 'reconciler',
      notAfter: bench.clock.now,
    } as const;
    await update(name);
    // a change of metadata, hence another etag, is another version as well
    expect(await bench.registry.remove({ ...request, expectedVersion: version })).toMatchObject({
      outcome: 'changed',
      reason: 'version-changed',
    });
    expect(await bench.registry.remove({ ...request, expectedVersion: '2' })).toMatchObject({ outcome: 'removed' });
    await expect(bench.backend.resolveTable(bench.ref(name))).rejects.toMatchObject({ failure: 'NoSuchTable' });
    const entity = { id, kind: 'table', path: ['s', name], version: '2', attachments } as const;
    await bench.registry.restore({
      catalog: 'lake',
      restoreId: 'r',
      intentId: request.intentId,
      entities: [entity],
      actor: 'ann',
    });
    expect(await bench.backend.resolveTable(bench.ref(name))).toEqual({ ...before, metadataVersion: 3n });
  });

  test('its changes are told as events', async () => {
    await bench.external(name);
    await update(name);
    await apply(name, { insert: commit(1n) });
    await bench.backend.deleteTable(bench.ref(name), {}, bench.caller);
    const events = await bench.desk.events('lake', 0, 1_000);
    const told = events
      .filter(({ path }) => path[1] === name)
      .map(({ type, outcome, actor }) => [type, outcome, actor]);
    expect(told).toEqual([
      ['created', 'ok', 'ann'],
      ['altered', 'ok', 'ann'],
      ['removed', 'ok', 'ann'],
    ]);
  });

  test('nothing of it dangles once it is gone; the folder of a managed one is written down', async () => {
    const managed = await bench.managed(name);
    await apply(name, { insert: commit(1n) });
    await apply(name, { insert: commit(2n), removeUpTo: 1n });
    await bench.backend.deleteTable(bench.ref(name), {}, bench.caller);
    const left = await rowsOf<{ table: string }>(
      bench.db,
      sql`select 'tables' as table from registry.lake_tables where entity_id = ${managed.tableId}
        union all select 'commits' from registry.lake_commits where entity_id = ${managed.tableId}
        union all select 'past' from registry.lake_past_commits where entity_id = ${managed.tableId}
        union all select location from registry.lake_leftovers where entity_id = ${managed.tableId}`,
    );
    expect(left).toEqual([{ table: managed.location }]);
  });
});

describe('the commit log', () => {
  test('keeps what 64 bits hold, takes a version once, and remembers the files of what went', async () => {
    await bench.managed(name);
    expect(await apply(name, { insert: commit(1n) })).toBe(true);
    expect(await apply(name, { insert: commit(1n, 'other.json'), removeUpTo: 1n })).toBe(false);
    expect(await apply(name, { insert: commit(2n, 'a\nb.json') })).toBe(true);
    await apply(name, { removeUpTo: 1n, markBackfilled: 2n });
    const { tracked } = await bench.backend.loadSnapshot(bench.ref(name));
    expect(tracked).toEqual([{ ...commit(2n, 'a\nb.json'), backfilled: true }]);
    await bench.backend.withTableUnitOfWork(bench.ref(name), bench.caller, async ({ log }) => {
      expect(await log.fileNameOf(1n)).toBe('1.json');
      expect(await log.fileNameOf(2n)).toBeUndefined();
      expect(await log.tracked()).toEqual(tracked);
    });
  });
});

describe('a unit of work', () => {
  test('undoes everything when its work throws', async () => {
    const before = await bench.managed(name);
    const events = (await bench.desk.events('lake', 0, 1_000)).length;
    await expect(
      bench.backend.withTableUnitOfWork(bench.ref(name), bench.caller, async (unit) => {
        await unit.log.apply({ insert: commit(1n) });
        await unit.updateTableRow(same(unit.table, { properties: new Map() }));
        throw new Error('power cut');
      }),
    ).rejects.toThrow('power cut');
    expect(await bench.backend.loadSnapshot(bench.ref(name))).toEqual({ table: before, tracked: [] });
    expect(await bench.desk.events('lake', 0, 1_000)).toHaveLength(events);
  });

  test('writes over no other version', async () => {
    await bench.external(name);
    await expect(update(name, { expectedMetadataVersion: 7n })).rejects.toMatchObject({
      failure: 'UpdateRequirementConflict',
    });
  });

  test('refuses text that the database cannot keep', async () => {
    await bench.external(name);
    await expect(update(name, { properties: new Map([['a', '\u0000']]) })).rejects.toMatchObject({
      failure: 'InvalidArgument',
    });
    await expect(update(name, { comment: '\u0000' })).rejects.toMatchObject({ failure: 'InvalidArgument' });
    await expect(update(name, { properties: new Map([['a', '\ud800']]) })).rejects.toMatchObject({
      failure: 'InvalidArgument',
    });
    await expect(update(name, { columns: [{ ...idColumn, name: '\u0000' }] })).rejects.toMatchObject({
      failure: 'InvalidArgument',
    });
  });
});

describe('locations', () => {
  test.each([
    ['at', ''],
    ['above', '/..'],
    ['below', '/sub/folder'],
  ])('%s that of another table are taken', async (_where, way) => {
    await bench.external(`${name}-own`, { location: `file:///elsewhere/${name}/t` });
    const location = new URL(`file:///elsewhere/${name}/t${way}`).href.replace(/\/$/, '');
    await expect(bench.external(name, { location })).rejects.toMatchObject({ occupant: 'table' });
    await bench.external(name, { location, exclusiveLocation: false });
  });

  test('of managed storage and of reservations are taken; those that merely begin alike are not', async () => {
    for (const location of [serverRoot, 'file:///srv', `${serverRoot}/x`]) {
      await expect(bench.external(name, { location })).rejects.toMatchObject({ occupant: 'managed-storage' });
    }
    await bench.external(name, { location: `${serverRoot}2` });
    await bench.backend.recordStaging(
      { catalog: 'lake', schema: 's' },
      name,
      { tableId: crypto.randomUUID(), location: `file:///reserved/${name}` },
      bench.caller,
    );
    await expect(bench.external('other', { location: `file:///reserved/${name}/x` })).rejects.toMatchObject({
      occupant: 'staging',
    });
  });

  test('of managed tables lie below the root of the schema, else of the catalog, else of the server', async () => {
    const at = { catalog: 'lake', schema: 's' };
    const location = async () => (await bench.backend.allocateStaging(at)).location;
    expect(await location()).toMatch(/^file:\/\/\/srv\/managed\/__unitystorage\/tables\/[0-9a-f-]{36}$/);
    await bench.db.execute(sql`update registry.catalogs set storage_root = 's3://catalog/' where name = 'lake'`);
    expect(await location()).toMatch(/^s3:\/\/catalog\/__unitystorage\/tables\//);
    await bench.db.execute(sql`update registry.entities set storage_location = 's3://schema/r' where path_key = 's'`);
    expect(await location()).toMatch(/^s3:\/\/schema\/r\/__unitystorage\/tables\//);
    await bench.db.execute(sql`update registry.entities set storage_location = null where path_key = 's'`);
    await bench.db.execute(sql`update registry.catalogs set storage_root = null where name = 'lake'`);
  });
});
