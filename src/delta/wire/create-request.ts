import { type DomainMetadata, readDomainMetadata } from '../rules/domain-metadata.ts';
import { type Protocol, readProtocol } from '../rules/protocol.ts';
import { readUniform } from '../rules/uniform.ts';
import type { TableType, Uniform } from '../table.ts';
import { Fields } from './fields.ts';
import type { Json, JsonObject } from './json.ts';

/** What was sent, with the right types and no unknown field; what is missing is said in the order of the rules. */
export interface CreateTableRequest {
  readonly name: string | undefined;
  readonly location: string | undefined;
  readonly tableType: TableType | undefined;
  readonly columns: Json | undefined;
  readonly protocol: Protocol | undefined;
  readonly lastCommitTimestampMs: bigint | undefined;
  readonly properties: ReadonlyMap<string, string>;
  readonly comment: string | undefined;
  readonly partitionColumns: readonly string[];
  readonly domainMetadata: DomainMetadata;
  readonly uniform: Uniform | undefined;
}

export function readCreateTable(body: JsonObject): CreateTableRequest {
  const fields = new Fields(body, '', [
    'name',
    'location',
    'table-type',
    'columns',
    'protocol',
    'last-commit-timestamp-ms',
    'properties',
    'comment',
    'partition-columns',
    'domain-metadata',
    'uniform',
  ]);
  return {
    name: fields.text('name'),
    location: fields.text('location'),
    tableType: fields.oneOf('table-type', ['MANAGED', 'EXTERNAL']),
    columns: fields.any('columns'),
    protocol: fields.nested('protocol', readProtocol),
    lastCommitTimestampMs: fields.int64('last-commit-timestamp-ms'),
    properties: fields.textMap('properties') ?? new Map(),
    comment: fields.text('comment'),
    partitionColumns: fields.texts('partition-columns') ?? [],
    domainMetadata: fields.nested('domain-metadata', readDomainMetadata) ?? {},
    uniform: fields.nested('uniform', readUniform),
  };
}
