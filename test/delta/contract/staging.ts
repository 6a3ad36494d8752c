import { describe, expect, test } from 'vitest';
import type { SchemaRef, StagingReservation } from '../../../src/delta/table.ts';
import { type BackendBench, anyLocation, createManaged, expectFailure, externalSpec } from './backend-bench.ts';

/** Reservations: kept, adopted once, and never half. */
export function staging<Cx>(bench: () => BackendBench<Cx>): void {
  const reserve = async (at: SchemaRef, name: string): Promise<StagingReservation> => {
    const { backend, cx } = bench();
    return backend.recordStaging(at, name, await backend.allocateStaging(at, name, cx), cx);
  };
  const create = (at: SchemaRef, name: string, adoptStaging: StagingReservation) => {
    const { backend, cx } = bench();
    const spec = { location: adoptStaging.location, tableType: 'MANAGED', adoptStaging } as const;
    return backend.createTableRow(externalSpec(at, name, { ...spec, exclusiveLocation: false }), cx);
  };

  describe('reservations', () => {
    test('choosing a place keeps nothing; recording it does', async () => {
      const { backend, cx, openSchema } = bench();
      const at = await openSchema();
      const place = await backend.allocateStaging(at, 'secret-name', cx);
      expect(place.location).not.toContain('secret-name');
      expect(place.location.endsWith(`/tables/${place.tableId}`)).toBe(true);
      await expectFailure(backend.resolveStagingById(place.tableId, cx), 'NoSuchTable');
      await expectFailure(backend.resolveStagingByLocation(place.location, cx), 'NoSuchTable');
      const reservation = await backend.recordStaging(at, 'secret-name', place, cx);
      expect(reservation).toMatchObject({ ...place, name: 'secret-name', finalised: false });
      expect(await backend.resolveStagingById(place.tableId, cx)).toEqual(reservation);
      expect(await backend.resolveStagingByLocation(place.location, cx)).toEqual(reservation);
    });

    test('a name may be reserved many times, each at a place of its own', async () => {
      const at = await bench().openSchema();
      const [one, other] = await Promise.all([reserve(at, 't'), reserve(at, 't')]);
      expect(one.location).not.toBe(other.location);
    });

    test('a table takes the id of its reservation, which is finalised for good', async () => {
      const { backend, cx, openSchema } = bench();
      const at = await openSchema();
      const reservation = await reserve(at, 't');
      const table = await create(at, 'other-name', reservation);
      expect(table).toMatchObject({
        tableId: reservation.tableId,
        location: reservation.location,
        tableType: 'MANAGED',
      });
      await expectFailure(create(at, 'second', reservation), 'InvalidArgument');
      await expectFailure(backend.resolveTable({ ...at, table: 'second' }, cx), 'NoSuchTable');
      await backend.deleteTable({ ...at, table: 'other-name' }, {}, cx);
      expect((await backend.resolveStagingById(reservation.tableId, cx)).finalised).toBe(true);
      await expectFailure(create(at, 'third', reservation), 'InvalidArgument');
    });

    test('a create that fails leaves the reservation as it was', async () => {
      const { backend, cx, openSchema } = bench();
      const at = await openSchema();
      await createManaged(bench(), at, 'taken');
      const reservation = await reserve(at, 't');
      await expectFailure(create(at, 'taken', reservation), 'AlreadyExists');
      expect((await backend.resolveStagingById(reservation.tableId, cx)).finalised).toBe(false);
      await create(at, 'free', reservation);
    });

    test('of many creates on one reservation one wins', async () => {
      const at = await bench().openSchema();
      const reservation = await reserve(at, 't');
      const outcomes = await Promise.allSettled(
        Array.from({ length: 8 }, (_, index) => create(at, `t${index}`, reservation)),
      );
      const lost = outcomes.filter((outcome) => outcome.status === 'rejected');
      expect(lost.map(({ reason }) => reason.failure)).toEqual(Array.from({ length: 7 }, () => 'InvalidArgument'));
    });

    test("an ordinary table's id and place are no reservation's", async () => {
      const { backend, cx, openSchema } = bench();
      const at = await openSchema();
      const { tableId, location } = await backend.createTableRow(externalSpec(at, 'e'), cx);
      await expectFailure(backend.resolveStagingById(String(tableId), cx), 'NoSuchTable');
      await expectFailure(backend.resolveStagingByLocation(location, cx), 'NoSuchTable');
      await expectFailure(backend.resolveStagingByLocation(anyLocation(), cx), 'NoSuchTable');
    });

    test('credentials are vended for a promised place', async () => {
      const { backend, cx, openSchema } = bench();
      const { location } = await reserve(await openSchema(), 't');
      const { credential } = await backend.vendPathCredential(location, 'READ_WRITE', cx);
      expect(credential).toEqual({ kind: 'none' });
    });
  });
}
