import { type CommitFields, readCommitFields } from '../commits/read-commit.ts';
import {
  type Domain,
  type DomainMetadata,
  domainsOf,
  knownDomain,
  readDomainMetadata,
} from '../rules/domain-metadata.ts';
import { readUuid } from '../rules/names.ts';
import { type Protocol, readProtocol } from '../rules/protocol.ts';
import { readUniform } from '../rules/uniform.ts';
import type { Uniform } from '../table.ts';
import { Fields, invalid, required } from './fields.ts';
import { type Json, type JsonObject, isJsonObject, member } from './json.ts';

/** The actions of one request, each at most once. What is missing inside one is said when it is applied. */
export interface Updates {
  readonly 'set-columns'?: { readonly columns: Json | undefined };
  readonly 'set-partition-columns'?: { readonly partitionColumns: readonly string[] };
  readonly 'set-protocol'?: { readonly protocol: Protocol | undefined };
  readonly 'set-properties'?: { readonly updates: ReadonlyMap<string, string> };
  readonly 'remove-properties'?: { readonly removals: readonly string[] };
  readonly 'set-domain-metadata'?: { readonly updates: DomainMetadata };
  readonly 'remove-domain-metadata'?: { readonly domains: readonly string[] };
  readonly 'set-table-comment'?: { readonly comment: string | undefined };
  readonly 'update-metadata-snapshot-version'?: {
    readonly version: bigint | undefined;
    readonly timestamp: bigint | undefined;
  };
  readonly 'add-commit'?: { readonly commit: CommitFields | undefined; readonly uniform: Uniform | undefined };
  readonly 'set-latest-backfilled-version'?: { readonly version: bigint | undefined };
}

export interface UpdateRequest {
  readonly tableId: string;
  readonly etag: string | undefined;
  readonly updates: Updates;
}

/** The shape of a request, before anything is looked up. */
export function readUpdateTable(body: JsonObject): UpdateRequest {
  const fields = new Fields(body, '', ['requirements', 'updates']);
  const updates = collect(fields.list('updates', readUpdate) ?? []);
  const requirements = collect(fields.list('requirements', readRequirement) ?? []);
  if (Object.keys(updates).length === 0) throw invalid('At least one update is required.');
  const tableId = requirements['assert-table-uuid'];
  if (tableId === undefined) throw invalid('assert-table-uuid requirement is required.');
  checkOverlap(updates);
  return { tableId, etag: requirements['assert-etag'], updates };
}

type Entry<T> = { readonly [K in keyof T]-?: readonly [K, NonNullable<T[K]>] }[keyof T];

interface Requirements {
  readonly 'assert-table-uuid'?: string;
  readonly 'assert-etag'?: string;
}

/** Each kind at most once; the order of the entries means nothing. */
function collect<T extends object>(entries: readonly Entry<T>[]): Partial<T> {
  const collected: Partial<T> = {};
  for (const [kind, value] of entries) {
    if (Object.hasOwn(collected, kind)) throw invalid(`At most one ${String(kind)} is allowed per request.`);
    collected[kind] = value;
  }
  return collected;
}

function readRequirement(value: Json, path: string): Entry<Requirements> {
  const type = kindOf(value, 'type', path);
  switch (type) {
    case 'assert-table-uuid': {
      const fields = new Fields(value, path, ['type', 'uuid']);
      return [type, readUuid(fields.text('uuid'), fields.at('uuid'))];
    }
    case 'assert-etag': {
      const fields = new Fields(value, path, ['type', 'etag']);
      return [type, required(fields.text('etag'), fields.at('etag'))];
    }
    default:
      throw invalid(`${path}.type: unknown requirement ${JSON.stringify(type.slice(0, 100))}.`);
  }
}

function readUpdate(value: Json, path: string): Entry<Updates> {
  const action = kindOf(value, 'action', path);
  const read = (...known: string[]): Fields => new Fields(value, path, ['action', ...known]);
  switch (action) {
    case 'set-columns':
      return [action, { columns: read('columns').any('columns') }];
    case 'set-partition-columns': {
      const fields = read('partition-columns');
      // left out clears the partitioning; null is a mistake
      if (fields.isNull('partition-columns')) throw invalid(`${fields.at('partition-columns')} must not be null.`);
      return [action, { partitionColumns: fields.texts('partition-columns') ?? [] }];
    }
    case 'set-protocol':
      return [action, { protocol: read('protocol').nested('protocol', readProtocol) }];
    case 'set-properties':
      return [action, { updates: read('updates').textMap('updates') ?? new Map() }];
    case 'remove-properties':
      return [action, { removals: read('removals').texts('removals') ?? [] }];
    case 'set-domain-metadata':
      return [action, { updates: read('updates').nested('updates', readDomainMetadata) ?? {} }];
    case 'remove-domain-metadata':
      return [action, { domains: read('domains').texts('domains') ?? [] }];
    case 'set-table-comment':
      return [action, { comment: read('comment').text('comment') }];
    case 'update-metadata-snapshot-version': {
      const fields = read('last-commit-version', 'last-commit-timestamp-ms');
      return [
        action,
        { version: fields.int64('last-commit-version'), timestamp: fields.int64('last-commit-timestamp-ms') },
      ];
    }
    case 'add-commit': {
      const fields = read('commit', 'uniform');
      return [
        action,
        { commit: fields.nested('commit', readCommitFields), uniform: fields.nested('uniform', readUniform) },
      ];
    }
    case 'set-latest-backfilled-version':
      return [action, { version: read('latest-published-version').int64('latest-published-version') }];
    default:
      throw invalid(`${path}.action: unknown action ${JSON.stringify(action.slice(0, 100))}.`);
  }
}

function kindOf(value: Json, key: string, path: string): string {
  const kind = isJsonObject(value) ? member(value, key) : undefined;
  if (typeof kind !== 'string') throw invalid(`${path}.${key} is required.`);
  return kind;
}

/** What is set and removed at once has no outcome that everybody would expect. */
function checkOverlap(updates: Updates): void {
  const set = updates['set-properties']?.updates;
  const both = updates['remove-properties']?.removals.find((key) => set?.has(key));
  if (both !== undefined) throw invalid(`set-properties and remove-properties overlap: ${both}`);
  const domains: readonly string[] = domainsOf(updates['set-domain-metadata']?.updates ?? {});
  const domain = updates['remove-domain-metadata']?.domains.find((name) => domains.includes(name));
  if (domain !== undefined) throw invalid(`set-domain-metadata and remove-domain-metadata overlap: ${domain}`);
}

export function removedDomains(updates: Updates): readonly Domain[] {
  return (updates['remove-domain-metadata']?.domains ?? []).map(knownDomain);
}
