import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DeltaAction, DeltaBackend } from '../../src/delta/backend.ts';
import { DeltaError, TableBusy } from '../../src/delta/delta-error.ts';
import { deltaHandler } from '../../src/delta/handler.ts';
import { requiredProtocol, fixedProperties, tableIdKey } from '../../src/delta/rules/managed-contract.ts';
import type { JsonObject } from '../../src/delta/wire/json.ts';
import { type Caller, MemoryDeltaBackend } from '../support/delta/memory-backend.ts';

const at = { catalog: 'unity', schema: 's' };
const ref = { ...at, table: 't' };
const cx = { actor: 'ann' };

interface Bench {
  readonly backend: MemoryDeltaBackend;
  readonly handler: ReturnType<typeof deltaHandler<Caller>>;
  readonly actions: string[];
}

function open(over: (backend: MemoryDeltaBackend) => Partial<DeltaBackend<Caller>> = () => ({})): Bench {
  const backend = new MemoryDeltaBackend();
  backend.store.addSchema(at, 'file:///managed');
  const actions: string[] = [];
  backend.authorize = async (action: DeltaAction) => void actions.push(action.kind);
  Object.assign(backend, over(backend));
  return { backend, handler: deltaHandler(backend), actions };
}

const columns = { type: 'struct', fields: [{ name: 'id', type: 'long', nullable: true, metadata: {} }] };

function external(name: string): JsonObject {
  return {
    name,
    location: `file:///data/${name}`,
    'table-type': 'EXTERNAL',
    columns,
    protocol: { 'min-reader-version': 1n, 'min-writer-version': 2n },
    'last-commit-timestamp-ms': 1n,
  };
}

function textOf(answer: JsonObject, key: string): string {
  const value = answer[key];
  if (typeof value !== 'string') throw new TypeError(`${key} is no text`);
  return value;
}

async function managed({ handler }: Bench): Promise<string> {
  const staged = await handler.createStagingTable(at, () => ({ name: 't' }), cx);
  const tableId = textOf(staged, 'table-id');
  const { minReaderVersion, minWriterVersion, readerFeatures, writerFeatures } = requiredProtocol;
  const protocol = {
    'min-reader-version': BigInt(minReaderVersion),
    'min-writer-version': BigInt(minWriterVersion),
    'reader-features': readerFeatures,
    'writer-features': writerFeatures,
  };
  const properties = { ...Object.fromEntries(fixedProperties), [tableIdKey]: tableId };
  const location = textOf(staged, 'location');
  const body = { ...external('t'), location, 'table-type': 'MANAGED', protocol, properties };
  await handler.createTable(at, () => body, cx);
  return tableId;
}

function commit(version: number, file: string): JsonObject {
  const fields = { timestamp: 1n, 'file-size': 1n, 'file-modification-timestamp': 1n };
  return { action: 'add-commit', commit: { version: BigInt(version), 'file-name': file, ...fields } };
}

function update(tableId: string, ...updates: JsonObject[]): () => JsonObject {
  return () => ({ requirements: [{ type: 'assert-table-uuid', uuid: tableId }], updates });
}

const setProperty = { action: 'set-properties', updates: { k: 'v' } };

describe('permission', () => {
  test('T53 is asked once for each operation, before it', async () => {
    const bench = open();
    const { handler, actions, backend } = bench;
    const asked = async (work: () => Promise<unknown>): Promise<string[]> => {
      actions.length = 0;
      await work();
      return [...actions];
    };
    expect(await asked(() => handler.getConfig({ catalog: 'unity', protocolVersions: '1.0' }, cx))).toEqual([
      'GetConfig',
    ]);
    expect(await asked(() => managed(bench))).toEqual(['CreateStaging', 'CreateTable', 'AdoptStaging']);
    expect(await asked(() => handler.createTable(at, () => external('e'), cx))).toEqual(['CreateTable']);
    expect(await asked(() => handler.loadTable(ref, cx))).toEqual(['ReadTable']);
    expect(await asked(() => handler.tableExists(ref, cx))).toEqual(['ReadTable']);
    const { tableId } = await backend.resolveTable(ref);
    expect(await asked(() => handler.updateTable(ref, update(String(tableId), setProperty), cx))).toEqual([
      'WriteTable',
    ]);
    expect(await asked(() => handler.reportMetrics(ref, () => ({ 'table-id': String(tableId) }), cx))).toEqual([
      'WriteTable',
    ]);
    expect(await asked(() => handler.getTableCredentials(ref, 'READ', cx))).toEqual(['VendTableCredential']);
    const staged = await handler.createStagingTable(at, () => ({ name: 'u' }), cx);
    const id = textOf(staged, 'table-id');
    expect(await asked(() => handler.getStagingTableCredentials(id, cx))).toEqual(['VendPathCredential']);
    const path = { location: '/data/x', operation: 'READ' };
    expect(await asked(() => handler.getTemporaryPathCredentials(path, cx))).toEqual(['VendPathCredential']);
    expect(await asked(() => handler.renameTable(ref, () => ({ 'new-name': 'r' }), cx))).toEqual(['RenameTable']);
    expect(await asked(() => handler.deleteTable({ ...at, table: 'r' }, cx))).toEqual(['DeleteTable']);
  });

  test('T53 a refusal ends an operation before anything is written', async () => {
    const bench = open();
    const tableId = await managed(bench);
    const before = await bench.backend.loadSnapshot(ref);
    bench.backend.authorize = async () => {
      throw new DeltaError('PermissionDenied', 'no');
    };
    const { handler } = bench;
    for (const refused of [
      handler.createStagingTable(at, () => ({ name: 'u' }), cx),
      handler.createTable(at, () => external('e'), cx),
      handler.updateTable(ref, update(tableId, setProperty), cx),
      handler.renameTable(ref, () => ({ 'new-name': 'r' }), cx),
      handler.deleteTable(ref, cx),
    ]) {
      await expect(refused).rejects.toMatchObject({ failure: 'PermissionDenied' });
    }
    expect(await bench.backend.loadSnapshot(ref)).toEqual(before);
    expect(bench.backend.store.stagings.size).toBe(1);
  });
});

describe('commits', () => {
  test('of writers that race for each version one wins, nothing is lost, and every replay is harmless', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 40 }), async (versions) => {
        const bench = open();
        const { handler } = bench;
        const tableId = await managed(bench);
        const owners = new Map<number, string>();
        const submit = async (version: number, file: string): Promise<void> => {
          await handler.updateTable(ref, update(tableId, commit(version, file)), cx);
          expect(owners.get(version) ?? file).toBe(file);
          owners.set(version, file);
        };
        const outcomes = await Promise.allSettled(versions.map((version, index) => submit(version, `${index}.json`)));
        for (const outcome of outcomes) {
          if (outcome.status === 'rejected') {
            expect(['CommitVersionConflict', 'InvalidArgument']).toContain(outcome.reason.failure);
          }
        }
        const before = await handler.loadTable(ref, cx);
        expect(before['latest-table-version']).toBe(BigInt(owners.size));
        for (const [version, file] of owners) await submit(version, file);
        expect(await handler.loadTable(ref, cx)).toEqual(before);
      }),
      { numRuns: 50 },
    );
  });

  test('a version that got an owner in spite of the lock is decided again', async () => {
    const bench = open();
    const tableId = await managed(bench);
    const real = bench.backend.withTableUnitOfWork.bind(bench.backend);
    let units = 0;
    bench.backend.withTableUnitOfWork = (table, caller, work) =>
      real(table, caller, (unit) => {
        units += 1;
        return work(
          units === 1
            ? {
                ...unit,
                table: unit.table,
                updateTableRow: (spec) => unit.updateTableRow(spec),
                log: { ...unit.log, apply: async () => false },
              }
            : unit,
        );
      });
    await bench.handler.updateTable(ref, update(tableId, commit(1, 'a.json')), cx);
    expect(units).toBe(2);
    expect((await bench.handler.loadTable(ref, cx))['latest-table-version']).toBe(1n);
  });

  test('a resent commit is answered although what came with it would no longer do', async () => {
    const bench = open();
    const tableId = await managed(bench);
    const { handler } = bench;
    const first = update(tableId, commit(1, 'a.json'), { action: 'set-properties', updates: { step: '1' } });
    await handler.updateTable(ref, first, cx);
    await handler.updateTable(ref, update(tableId, { action: 'set-properties', updates: { step: '2' } }), cx);
    const resent = await handler.updateTable(ref, first, cx);
    expect(resent['metadata']).toMatchObject({ properties: { step: '2' } });
  });

  test.each([
    ['with a commit', commit(1, 'a.json'), 'CommitStateUnknown'],
    ['without one', setProperty, 'UpdateRequirementConflict'],
  ])('a busy table, %s', async (_name, action, failure) => {
    const bench = open();
    const tableId = await managed(bench);
    bench.backend.withTableUnitOfWork = async () => {
      throw new TableBusy();
    };
    await expect(bench.handler.updateTable(ref, update(tableId, action), cx)).rejects.toMatchObject({ failure });
  });
});

describe('staging', () => {
  test('a credential that cannot be vended leaves no reservation', async () => {
    const bench = open(() => ({ vendPathCredential: () => Promise.reject(new Error('no key')) }));
    await expect(bench.handler.createStagingTable(at, () => ({ name: 't' }), cx)).rejects.toThrow('no key');
    expect(bench.backend.store.stagings.size).toBe(0);
  });

  test('its credentials end with the table that is created on it', async () => {
    const bench = open();
    const tableId = await managed(bench);
    await expect(bench.handler.getStagingTableCredentials(tableId, cx)).rejects.toMatchObject({
      failure: 'NoSuchTable',
    });
  });
});

describe('tables of other formats', () => {
  test('exist, and cannot be loaded', async () => {
    const bench = open();
    await bench.handler.createTable(at, () => external('pq'), cx);
    const table = bench.backend.store.table({ ...at, table: 'pq' });
    table.row = { ...table.row, format: 'PARQUET' };
    await bench.handler.tableExists({ ...at, table: 'pq' }, cx);
    const loading = bench.handler.loadTable({ ...at, table: 'pq' }, cx);
    await expect(loading).rejects.toMatchObject({ failure: 'UnsupportedTableFormat', message: /not a Delta table/ });
  });

  test('one column that cannot be read leaves the columns empty', async () => {
    const bench = open();
    await bench.handler.createTable(at, () => external('odd'), cx);
    const table = bench.backend.store.table({ ...at, table: 'odd' });
    table.row = { ...table.row, columns: table.row.columns.map((column) => ({ ...column, typeJson: '{"name":' })) };
    const { metadata } = await bench.handler.loadTable({ ...at, table: 'odd' }, cx);
    expect(metadata).toMatchObject({ columns: { type: 'struct', fields: [] } });
  });
});
