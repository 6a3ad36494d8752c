import type { CreateTableSpec } from '../../../../src/delta/backend.ts';
import type { ResolvedTable, SchemaRef, TableColumn, TableRef } from '../../../../src/delta/table.ts';
import { LakeBackend, type LakeCaller } from '../../../../src/registries/embedded/lake/lake-backend.ts';
import { storageAccess } from '../../../../src/registries/embedded/storage/storage.ts';
import { type EmbeddedBench, openEmbeddedBench } from '../embedded-bench.ts';

/** The embedded registry as a store of the Delta API, with one catalog `lake` and one schema `s`. */
export interface LakeBench extends EmbeddedBench {
  readonly backend: LakeBackend;
  /** Somebody who may do everything. */
  readonly cx: LakeCaller;
  readonly caller: LakeCaller;
  openSchema(): Promise<SchemaRef>;
  ref(table: string): TableRef;
  external(table: string, over?: Partial<CreateTableSpec>): Promise<ResolvedTable>;
  managed(table: string): Promise<ResolvedTable>;
}

export const idColumn: TableColumn = {
  name: 'id',
  position: 0,
  nullable: true,
  typeName: 'LONG',
  typeText: 'bigint',
  typeJson: '{"name":"id","type":"long","nullable":true,"metadata":{}}',
};

export const serverRoot = 'file:///srv/managed';

export async function openLakeBench(where: { url?: string } = {}): Promise<LakeBench> {
  const bench = await openEmbeddedBench(where);
  const { db, desk, metalake, clock } = bench;
  await desk.createCatalog({ name: 'lake', provider: 'delta' }, 'operator');
  await desk.create({ catalog: 'lake', actor: 'ann', kind: 'schema', path: ['s'] });
  const backend = new LakeBackend({
    db,
    metalake,
    now: () => clock.now,
    storage: storageAccess([]),
    storageRoot: serverRoot,
    authorization: false,
  });
  const caller: LakeCaller = { actor: 'ann' };
  const at = { catalog: 'lake', schema: 's' };
  let schemas = 0;
  const spec = (name: string): CreateTableSpec => ({
    at,
    name,
    location: `file:///data/${name}`,
    tableType: 'EXTERNAL',
    format: 'DELTA',
    columns: [idColumn],
    properties: new Map([['a', '1']]),
    adoptStaging: null,
    exclusiveLocation: true,
  });
  return {
    ...bench,
    backend,
    cx: caller,
    caller,
    async openSchema() {
      schemas += 1;
      const schema = `schema${schemas}`;
      await desk.create({ catalog: 'lake', actor: 'ann', kind: 'schema', path: [schema] });
      return { catalog: 'lake', schema };
    },
    ref: (table) => ({ ...at, table }),
    external: (table, over = {}) => backend.createTableRow({ ...spec(table), ...over }, caller),
    async managed(table) {
      const place = await backend.allocateStaging(at);
      const adoptStaging = await backend.recordStaging(at, table, place, caller);
      const { location } = place;
      return backend.createTableRow(
        { ...spec(table), location, tableType: 'MANAGED', adoptStaging, exclusiveLocation: false },
        caller,
      );
    },
  };
}
