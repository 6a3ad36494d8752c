import { and, eq, gt, gte, type SQL, sql } from 'drizzle-orm';
import { dayMs, type Limits, type Removed } from '../domain/removal-limits.ts';
import type { CatalogRow } from './catalog-row.ts';
import { type LedgerDatabase, rowsOf } from './database.ts';
import { removals } from './schema.ts';

/** What went from a catalog since its published round was published, and in the day before `now`. */
export async function removedSoFar(
  db: LedgerDatabase,
  { key, publishedAt }: Pick<CatalogRow, 'key' | 'publishedAt'>,
  now: number,
): Promise<Removed> {
  const sumOf = (which: SQL) =>
    sql<number>`coalesce(sum(${removals.entities}) filter (where ${which}), 0)`.mapWith(Number);
  const [sums] = await db
    .select({ inRound: sumOf(gte(removals.at, publishedAt ?? 0)), inDay: sumOf(gt(removals.at, now - dayMs)) })
    .from(removals)
    .where(and(removed(key), gte(removals.at, Math.min(publishedAt ?? 0, now - dayMs))));
  return sums ?? { inRound: 0, inDay: 0 };
}

/** When so many registrations may go again as far as the limit per day goes: as soon as enough others are a day old. */
export async function roomInDayAt(
  db: LedgerDatabase,
  catalog: string,
  registrations: number,
  { inDay, limits, now }: { readonly inDay: number; readonly limits: Limits; readonly now: number },
): Promise<number | undefined> {
  if (registrations > limits.removalsPerDay) return undefined;
  const missing = inDay + registrations - limits.removalsPerDay;
  const [freed] = await rowsOf<{ at: string | number | null }>(
    db,
    sql`
      select min(at) as at from (
        select at, sum(entities) over (order by at, id) as freed from ${removals}
        where ${and(removed(catalog), gt(removals.at, now - dayMs))}
      ) passing where freed >= ${missing}`,
  );
  return freed === undefined || freed.at === null ? undefined : Number(freed.at) + dayMs;
}

function removed(catalog: string): SQL | undefined {
  return and(eq(removals.catalog, catalog), eq(removals.action, 'remove'), eq(removals.outcome, 'removed'));
}
