import type { CatalogName } from '../contract/names.ts';
import { ReconcilerFailure } from '../domain/failure.ts';
import { pathText } from '../domain/path.ts';
import { markOf } from '../domain/scope.ts';
import type { SnapshotRow } from '../ledger/ledger.ts';
import { cancellation, stopIfCancelled } from './context.ts';
import type { ActivityDeps } from './deps.ts';

export interface SnapshotInput extends CatalogName {
  readonly roundId: string;
}

export interface SnapshotAnswer {
  readonly registrations: number;
  readonly eligible: number;
}

/** Large enough to make a page cheap, small enough for one statement on an embedded database. */
const pageSize = 5_000;

/**
 * Pages every registration of the catalog into the ledger. A listing that broke off starts anew: continuing behind a
 * cursor of yesterday's page would miss what was registered before it.
 */
export async function snapshotRegistrations(deps: ActivityDeps, input: SnapshotInput): Promise<SnapshotAnswer> {
  const signal = cancellation();
  const registry = deps.registryOf(input.metalake);
  const key = pathText([input.metalake, input.catalog]);
  const patterns = deps.patternsOf((await deps.ledger.catalogs.policy(key)).policy);
  await deps.ledger.rounds.resetSnapshot(input.roundId);
  const counted = await registry.count(input.catalog, signal);
  let row = 0;
  let writing: Promise<void> = Promise.resolve();
  for (let after: string | undefined, more = true; more; ) {
    const page = await registry.registrations(
      input.catalog,
      { limit: pageSize, ...(after === undefined ? {} : { after }) },
      signal,
    );
    const rows: SnapshotRow[] = page.items.map((registration) => {
      const { id: entity, kind, path, version, createdAt, location } = registration;
      const listed = {
        row: row++,
        entity,
        kind,
        path,
        version,
        createdAt,
        mark: markOf(registration, pathText(path), patterns),
      };
      return location === undefined ? listed : { ...listed, location };
    });
    // The next page is fetched while this one is written.
    await writing;
    writing = deps.ledger.rounds.appendSnapshot(input.roundId, rows);
    writing.catch(() => undefined); // reported by the await above or below
    stopIfCancelled();
    if (page.next !== undefined && page.next === after) throw incomplete(key, 'the listing does not move on');
    after = page.next;
    more = after !== undefined;
  }
  await writing;
  const recounted = await registry.count(input.catalog, signal);
  // Registrations may come and go while we list; then the count lies between the two.
  if (row < Math.min(counted, recounted) || row > Math.max(counted, recounted)) {
    throw incomplete(key, `${row} were listed where ${recounted} are counted`);
  }
  return deps.ledger.rounds.snapshotCounts(input.roundId);
}

function incomplete(key: string, what: string): ReconcilerFailure {
  return new ReconcilerFailure(
    'SnapshotIncomplete',
    'count',
    `The registrations of ${key} could not be listed whole: ${what}.`,
  );
}
