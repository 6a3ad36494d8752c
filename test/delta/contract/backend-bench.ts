import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { CreateTableSpec, DeltaBackend, UpdateTableSpec } from '../../../src/delta/backend.ts';
import { deriveColumns } from '../../../src/delta/columns/table-columns.ts';
import type { DeltaFailure } from '../../../src/delta/delta-error.ts';
import type { Commit, ResolvedTable, SchemaRef } from '../../../src/delta/table.ts';

/** A backend under test. `Cx` is somebody who may do everything. */
export interface BackendBench<Cx> {
  readonly backend: DeltaBackend<Cx>;
  readonly cx: Cx;
  /** A new schema, with managed storage. */
  readonly openSchema: () => Promise<SchemaRef>;
  close(): Promise<void>;
}

export function anyLocation(): string {
  return `file:///tmp/delta-contract/${randomUUID()}`;
}

const fields = [
  { name: 'id', type: { kind: 'primitive', name: 'long' }, nullable: false, metadata: { comment: 'the key' } },
  { name: 'Tag', type: { kind: 'primitive', name: 'string' }, nullable: true, metadata: {} },
] as const;

export function externalSpec(at: SchemaRef, name: string, over: Partial<CreateTableSpec> = {}): CreateTableSpec {
  return {
    at,
    name,
    location: anyLocation(),
    tableType: 'EXTERNAL',
    format: 'DELTA',
    columns: deriveColumns(fields, ['Tag']),
    properties: new Map([
      ['a', '1'],
      ['io.something', 'ü'],
    ]),
    adoptStaging: null,
    exclusiveLocation: true,
    ...over,
  };
}

/** A managed table on a reservation of its own. */
export async function createManaged<Cx>({ backend, cx }: BackendBench<Cx>, at: SchemaRef, name: string) {
  const place = await backend.allocateStaging(at, name, cx);
  const adoptStaging = await backend.recordStaging(at, name, place, cx);
  const spec = { location: place.location, tableType: 'MANAGED', adoptStaging, exclusiveLocation: false } as const;
  return backend.createTableRow(externalSpec(at, name, spec), cx);
}

export function updateOf(table: ResolvedTable, over: Partial<UpdateTableSpec> = {}): UpdateTableSpec {
  return {
    tableId: String(table.tableId),
    columns: table.columns,
    properties: table.properties,
    metadataChanged: true,
    expectedMetadataVersion: table.metadataVersion,
    ...over,
  };
}

export function commitOf(version: bigint, fileName = `${version}.json`): Commit {
  return {
    version,
    fileName,
    timestamp: 10n ** 15n + version,
    fileSize: 2n ** 60n,
    fileModificationTimestamp: version,
  };
}

export function expectFailure(outcome: Promise<unknown>, failure: DeltaFailure): Promise<void> {
  return expect(outcome).rejects.toMatchObject({ name: 'DeltaError', failure });
}
