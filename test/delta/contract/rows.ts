import { describe, expect, test } from 'vitest';
import { LocationTaken } from '../../../src/delta/delta-error.ts';
import {
  type BackendBench,
  anyLocation,
  createManaged,
  expectFailure,
  externalSpec,
  updateOf,
} from './backend-bench.ts';

/** Rows: what is kept, who wins, and what has gone. */
export function rows<Cx>(bench: () => BackendBench<Cx>): void {
  describe('rows', () => {
    test('a table is answered as it was given, with an id and both times', async () => {
      const { backend, cx, openSchema } = bench();
      const at = await openSchema();
      const uniform = { metadataLocation: 'file:///m', convertedDeltaVersion: 1n, convertedDeltaTimestamp: 2n ** 60n };
      const spec = externalSpec(at, 'orders', { comment: 'what was ordered', uniform });
      const created = await backend.createTableRow(spec, cx);
      const { location, columns, properties } = spec;
      expect(created).toMatchObject({ name: 'orders', location, tableType: 'EXTERNAL', columns, uniform });
      expect(created.tableId).toMatch(/^[0-9a-f-]{36}$/);
      expect(created.format?.toUpperCase()).toBe('DELTA');
      expect(created.comment).toBe('what was ordered');
      expect(new Map(created.properties)).toEqual(properties);
      expect(created.updatedAtMs).toBe(created.createdAtMs);
      const ref = { ...at, table: 'orders' };
      expect(await backend.resolveTable(ref, cx)).toEqual(created);
      expect(await backend.loadSnapshot(ref, cx)).toEqual({ table: created, tracked: [] });
    });

    test('the level that is missing is named', async () => {
      const { backend, cx, openSchema } = bench();
      const at = await openSchema();
      await expectFailure(backend.catalogExists('nowhere', cx), 'NoSuchCatalog');
      await backend.catalogExists(at.catalog, cx);
      for (const [ref, failure] of [
        [{ ...at, catalog: 'nowhere', table: 't' }, 'NoSuchCatalog'],
        [{ ...at, schema: 'nowhere', table: 't' }, 'NoSuchSchema'],
        [{ ...at, table: 'nowhere' }, 'NoSuchTable'],
      ] as const) {
        await expectFailure(backend.resolveTable(ref, cx), failure);
        await expectFailure(backend.loadSnapshot(ref, cx), failure);
        await expectFailure(backend.deleteTable(ref, {}, cx), failure);
        await expectFailure(
          backend.withTableUnitOfWork(ref, cx, async () => undefined),
          failure,
        );
        if (backend.capabilities().rename) await expectFailure(backend.renameTable(ref, 'other', cx), failure);
      }
      await expectFailure(backend.createTableRow(externalSpec({ ...at, schema: 'nowhere' }, 't'), cx), 'NoSuchSchema');
      await expectFailure(backend.allocateStaging({ ...at, schema: 'nowhere' }, 't', cx), 'NoSuchSchema');
    });

    test('names are told apart by letter case', async () => {
      const { backend, cx, openSchema } = bench();
      const at = await openSchema();
      await backend.createTableRow(externalSpec(at, 'tcase'), cx);
      await expectFailure(backend.resolveTable({ ...at, table: 'TCASE' }, cx), 'NoSuchTable');
      await backend.createTableRow(externalSpec(at, 'Tcase'), cx);
    });

    test('of many creates of one name one wins', async () => {
      const { backend, cx, openSchema } = bench();
      const at = await openSchema();
      const outcomes = await Promise.allSettled(
        Array.from({ length: 8 }, () => backend.createTableRow(externalSpec(at, 'same'), cx)),
      );
      const lost = outcomes.filter((outcome) => outcome.status === 'rejected');
      expect(lost.map(({ reason }) => reason.failure)).toEqual(Array.from({ length: 7 }, () => 'AlreadyExists'));
    });

    test.each([
      ['the same', ''],
      ['a folder below', '/below'],
    ])('a place that must be free is refused where a table has %s', async (_name, suffix) => {
      const { backend, cx, openSchema } = bench();
      const at = await openSchema();
      const location = anyLocation();
      await backend.createTableRow(externalSpec(at, 'first', { location: location + suffix }), cx);
      await expect(backend.createTableRow(externalSpec(at, 'second', { location }), cx)).rejects.toThrow(LocationTaken);
      await backend.createTableRow(externalSpec(at, 'third', { location: `${location}er` }), cx);
      const shared = externalSpec(at, 'fourth', { location, exclusiveLocation: false });
      if (suffix !== '') await backend.createTableRow(shared, cx);
    });

    test('a place is refused below a table, and where one was promised', async () => {
      const { backend, cx, openSchema } = bench();
      const at = await openSchema();
      const { location } = await backend.createTableRow(externalSpec(at, 'first'), cx);
      const below = externalSpec(at, 'second', { location: `${location}/a/b` });
      await expect(backend.createTableRow(below, cx)).rejects.toMatchObject({ occupant: 'table' });
      const place = await backend.allocateStaging(at, 'm', cx);
      await backend.recordStaging(at, 'm', place, cx);
      const promised = externalSpec(at, 'second', { location: place.location });
      await expect(backend.createTableRow(promised, cx)).rejects.toThrow(LocationTaken);
    });

    test('a table is deleted on its conditions only, and its name is free after it', async () => {
      const { backend, cx, openSchema } = bench();
      const at = await openSchema();
      const ref = { ...at, table: 'gone' };
      const { tableId, metadataVersion } = await backend.createTableRow(externalSpec(at, 'gone'), cx);
      const other = '00000000-0000-0000-0000-000000000001';
      await expectFailure(backend.deleteTable(ref, { expectedTableId: other }, cx), 'UpdateRequirementConflict');
      const later = { expectedMetadataVersion: metadataVersion + 1n };
      await expectFailure(backend.deleteTable(ref, later, cx), 'UpdateRequirementConflict');
      await backend.resolveTable(ref, cx);
      await backend.deleteTable(
        ref,
        { ...(tableId === null ? {} : { expectedTableId: tableId }), expectedMetadataVersion: metadataVersion },
        cx,
      );
      await expectFailure(backend.deleteTable(ref, {}, cx), 'NoSuchTable');
      const again = await backend.createTableRow(externalSpec(at, 'gone'), cx);
      expect(again.tableId).not.toBe(tableId);
    });

    test('a rename changes the name and moves the metadata version', async ({ skip }) => {
      const { backend, cx, openSchema } = bench();
      if (!backend.capabilities().rename) skip('the backend cannot rename');
      const at = await openSchema();
      const before = await createManaged(bench(), at, 'before');
      await backend.createTableRow(externalSpec(at, 'taken'), cx);
      await expectFailure(backend.renameTable({ ...at, table: 'nowhere' }, 'taken', cx), 'NoSuchTable');
      await expectFailure(backend.renameTable({ ...at, table: 'before' }, 'taken', cx), 'AlreadyExists');
      await backend.renameTable({ ...at, table: 'before' }, 'after', cx);
      await expectFailure(backend.resolveTable({ ...at, table: 'before' }, cx), 'NoSuchTable');
      const { updatedAtMs: _moved, ...kept } = before;
      const after = await backend.resolveTable({ ...at, table: 'after' }, cx);
      expect(after).toMatchObject({ ...kept, name: 'after', metadataVersion: before.metadataVersion + 1n });
    });

    test('a change replaces what it gives, and moves version and time only if it says so', async () => {
      const { backend, cx, openSchema } = bench();
      const at = await openSchema();
      const ref = { ...at, table: 't' };
      const before = await backend.createTableRow(externalSpec(at, 't', { comment: 'old' }), cx);
      const uniform = { metadataLocation: 'file:///m', convertedDeltaVersion: 3n, convertedDeltaTimestamp: 4n };
      const quiet = await backend.withTableUnitOfWork(ref, cx, (unit) =>
        unit.updateTableRow(
          updateOf(unit.table, { properties: new Map([['b', '2']]), uniform, metadataChanged: false }),
        ),
      );
      expect(quiet).toMatchObject({
        metadataVersion: before.metadataVersion,
        updatedAtMs: before.updatedAtMs,
        uniform,
      });
      expect([...quiet.properties]).toEqual([['b', '2']]);
      expect(quiet.comment).toBe('old');
      const loud = await backend.withTableUnitOfWork(ref, cx, (unit) =>
        unit.updateTableRow(updateOf(unit.table, { columns: before.columns.slice(0, 1), comment: '', uniform: null })),
      );
      expect(loud.metadataVersion).toBe(before.metadataVersion + 1n);
      expect(loud.columns).toEqual(before.columns.slice(0, 1));
      expect(loud.comment).toBe('');
      expect(loud.uniform).toBeUndefined();
      expect(await backend.resolveTable(ref, cx)).toEqual(loud);
    });
  });
}
