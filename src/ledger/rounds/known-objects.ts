import { sql } from 'drizzle-orm';
import type { EntityKind } from '../../domain/registration.ts';
import { type LedgerDatabase, rowsAStatement, rowsOf } from '../database.ts';
import type { CatalogKey, KnownObject } from '../ledger.ts';
import { readPath } from '../rows.ts';
import { verdictOf } from './running.ts';

/** Looks from evenly spread rows of the published round onwards, first for a schema, then for something else. */
export async function knownObjects(
  db: LedgerDatabase,
  catalog: CatalogKey,
  limit: number,
): Promise<readonly KnownObject[]> {
  const [published] = await rowsOf<{ round: string; last: number }>(
    db,
    sql`
      select c.published_round as round, s.row as last from catalogs c
      cross join lateral (
        select row from snapshot where round = c.published_round order by row desc limit 1
      ) s
      where c.key = ${catalog}`,
  );
  if (published === undefined) return [];
  const rows = published.last + 1;
  const chosen = new Map<string, KnownObject>();
  for (let slot = 0; slot < limit; slot += 1) {
    const from = Math.floor((rows * slot) / limit);
    const wanted = slot % 2 === 0 ? sql`s.kind = 'schema'` : sql`s.kind <> 'schema'`;
    const found =
      (await firstPresent(db, published.round, { from, wanted, taken: chosen })) ??
      (await firstPresent(db, published.round, { from, wanted: sql`true`, taken: chosen })) ??
      (await firstPresent(db, published.round, { from: 0, wanted: sql`true`, taken: chosen }));
    if (found !== undefined) chosen.set(found.path, asObject(found));
  }
  return [...chosen.values()];
}

interface FoundRow {
  readonly path: string;
  readonly kind: EntityKind;
  readonly location: string | null;
}

function asObject({ path, kind, location }: FoundRow): KnownObject {
  return { path: readPath(path), kind, ...(location === null ? {} : { location }) };
}

/** Looks no further than one statement may: where nothing is present over so many rows, fewer controls are honest. */
async function firstPresent(
  db: LedgerDatabase,
  round: string,
  look: {
    readonly from: number;
    readonly wanted: ReturnType<typeof sql>;
    readonly taken: ReadonlyMap<string, unknown>;
  },
): Promise<FoundRow | undefined> {
  const [row] = await rowsOf<FoundRow>(
    db,
    sql`
      select s.path, s.kind, s.location from snapshot s
      cross join lateral ${verdictOf(round)} v
      where v.verdict = 'present' and s.round = ${round} and s.row >= ${look.from} and s.row < ${look.from + rowsAStatement} and ${look.wanted}
        and s.path <> all (${sql.param([...look.taken.keys()])}::text[])
      order by s.row limit 1`,
  );
  return row;
}
