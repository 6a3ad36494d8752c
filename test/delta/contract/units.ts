import { describe, expect, test } from 'vitest';
import type { TableRef } from '../../../src/delta/table.ts';
import { type BackendBench, commitOf, createManaged, expectFailure, updateOf } from './backend-bench.ts';

/** Units of work, and the log inside them. */
export function units<Cx>(bench: () => BackendBench<Cx>): void {
  const managed = async (): Promise<TableRef> => {
    const at = await bench().openSchema();
    await createManaged(bench(), at, 't');
    return { ...at, table: 't' };
  };

  describe('units of work', () => {
    test('what is thrown undoes row and log, and is thrown on', async () => {
      const { backend, cx } = bench();
      const ref = await managed();
      const before = await backend.loadSnapshot(ref, cx);
      const why = new Error('enough');
      const work = backend.withTableUnitOfWork(ref, cx, async (unit) => {
        expect(await unit.log.apply({ insert: commitOf(1n) })).toBe(true);
        await unit.updateTableRow(updateOf(unit.table, { properties: new Map() }));
        throw why;
      });
      await expect(work).rejects.toBe(why);
      expect(await backend.loadSnapshot(ref, cx)).toEqual(before);
    });

    test('row and log change together, and the unit sees its own changes', async () => {
      const { backend, cx } = bench();
      const ref = await managed();
      const row = await backend.withTableUnitOfWork(ref, cx, async (unit) => {
        await unit.log.apply({ insert: commitOf(1n) });
        expect(await unit.log.tracked()).toEqual([{ ...commitOf(1n), backfilled: false }]);
        return unit.updateTableRow(updateOf(unit.table, { properties: new Map([['k', 'v']]) }));
      });
      const { table, tracked } = await backend.loadSnapshot(ref, cx);
      expect(table).toEqual(row);
      expect(tracked).toEqual([{ ...commitOf(1n), backfilled: false }]);
    });

    test('writers of one table wait for each other, and nothing that they write is lost', async () => {
      const { backend, cx } = bench();
      const ref = await managed();
      await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          backend.withTableUnitOfWork(ref, cx, async (unit) => {
            const properties = new Map([...unit.table.properties, [`k${index}`, '1']]);
            await unit.log.tracked();
            await unit.updateTableRow(updateOf(unit.table, { properties }));
          }),
        ),
      );
      const { properties } = await backend.resolveTable(ref, cx);
      expect(Array.from({ length: 8 }, (_, index) => properties.get(`k${index}`))).toEqual(Array(8).fill('1'));
    });

    test('a row of another version is left alone', async () => {
      const { backend, cx } = bench();
      const ref = await managed();
      const stale = backend.withTableUnitOfWork(ref, cx, (unit) =>
        unit.updateTableRow(updateOf(unit.table, { expectedMetadataVersion: unit.table.metadataVersion - 1n })),
      );
      await expectFailure(stale, 'UpdateRequirementConflict');
    });

    test('a version has one row, and the unit goes on when it is refused', async () => {
      const { backend, cx } = bench();
      const ref = await managed();
      await backend.withTableUnitOfWork(ref, cx, async ({ log }) => {
        expect(await log.apply({ insert: commitOf(1n) })).toBe(true);
        expect(await log.apply({ insert: commitOf(1n, 'other.json'), removeUpTo: 0n })).toBe(false);
        expect(await log.apply({ insert: commitOf(2n) })).toBe(true);
      });
      const { tracked } = await backend.loadSnapshot(ref, cx);
      expect(tracked.map(({ version, fileName }) => [version, fileName])).toEqual([
        [1n, '1.json'],
        [2n, '2.json'],
      ]);
    });

    test('rows go, one becomes the marker, and of what went the file is told right or not at all', async () => {
      const { backend, cx } = bench();
      const ref = await managed();
      for (const version of [1n, 2n, 3n]) {
        await backend.withTableUnitOfWork(ref, cx, ({ log }) => log.apply({ insert: commitOf(version) }));
      }
      await backend.withTableUnitOfWork(ref, cx, ({ log }) => log.apply({ removeUpTo: 2n, markBackfilled: 3n }));
      const { tracked } = await backend.loadSnapshot(ref, cx);
      expect(tracked).toEqual([{ ...commitOf(3n), backfilled: true }]);
      const kept = await backend.withTableUnitOfWork(ref, cx, ({ log }) => log.fileNameOf(1n));
      expect([undefined, '1.json']).toContain(kept);
    });

    test('a log goes with its table', async () => {
      const { backend, cx } = bench();
      const ref = await managed();
      await backend.withTableUnitOfWork(ref, cx, ({ log }) => log.apply({ insert: commitOf(1n) }));
      await backend.deleteTable(ref, {}, cx);
      await createManaged(bench(), ref, 't');
      expect((await backend.loadSnapshot(ref, cx)).tracked).toEqual([]);
    });

    test('a log of a thousand rows is read in order', async () => {
      const { backend, cx } = bench();
      const ref = await managed();
      await backend.withTableUnitOfWork(ref, cx, async ({ log }) => {
        for (let version = 1n; version <= 1_000n; version += 1n) await log.apply({ insert: commitOf(version) });
      });
      const { tracked } = await backend.loadSnapshot(ref, cx);
      expect(tracked.map(({ version }) => version)).toEqual(
        Array.from({ length: 1_000 }, (_, index) => BigInt(index + 1)),
      );
    });
  });
}
