import { type SQL, sql } from 'drizzle-orm';
import type { RoundTally } from '../../domain/guard.ts';
import { numberArray } from '../array-text.ts';
import { type LedgerDatabase, rowsOf } from '../database.ts';
import type { CatalogKey } from '../ledger.ts';
import { rowChunks, verdictOf } from './running.ts';

/**
 * Counts for the guard, from the rows themselves: what a person keeps is in no share of anything. Only probed rows have
 * verdicts, and few are kept, so both tables are read by themselves and nothing is joined.
 */
export async function tallyRound(
  db: LedgerDatabase,
  round: string,
  catalog: CatalogKey,
  now: number,
): Promise<RoundTally> {
  const sum = { registrations: 0, eligible: 0, conclusive: 0, absent: 0 };
  for await (const { from, to } of rowChunks(db, round)) {
    const [listed] = await rowsOf<{ registrations: number; eligible: number; kept: readonly number[] | null }>(
      db,
      sql`
        select count(*)::int as registrations,
          (count(*) filter (where mark = 'probe' and not kept))::int as eligible,
          array_agg(row) filter (where mark = 'probe' and kept) as kept
        from (
          select row, mark, entity in (${keptEntities(catalog, now)}) as kept from snapshot
          where round = ${round} and row >= ${from} and row < ${to}
        ) chunk`,
    );
    const [judged] = await rowsOf<{ conclusive: number; absent: number }>(
      db,
      sql`
        select (count(*) filter (where verdict <> 'unknown'))::int as conclusive,
          (count(*) filter (where verdict = 'absent'))::int as absent
        from verdicts
        where round = ${round} and row >= ${from} and row < ${to}
          and row <> all (${numberArray(listed?.kept ?? [])}::int[])`,
    );
    sum.registrations += listed?.registrations ?? 0;
    sum.eligible += listed?.eligible ?? 0;
    sum.conclusive += judged?.conclusive ?? 0;
    sum.absent += judged?.absent ?? 0;
  }
  return { ...sum, admitted: await countAdmitted(db, round, catalog, now) };
}

/**
 * Entities that a person keeps, for good or until later than `now`. Used with `in`, it is read once a statement and
 * hashed, however little the database knows about the tables.
 */
export function keptEntities(catalog: CatalogKey, now: number): SQL {
  return sql`
    select entity from decisions
    where catalog = ${catalog} and state = 'active' and action = 'keep' and (keep_until is null or keep_until > ${now})`;
}

/** Absent registrations that valid overrides admit, each counted once, none beyond what is left of its override, the
 * outermost first. */
async function countAdmitted(db: LedgerDatabase, round: string, catalog: CatalogKey, now: number): Promise<number> {
  const valid = await rowsOf<{ id: string; left: number }>(
    db,
    sql`
      select id, max_count - used as left from overrides
      where catalog = ${catalog} and state = 'active' and expires_at > ${now} and used < max_count order by at, id`,
  );
  const admitted = new Set<string>();
  for (const override of valid) {
    const held = await rowsOf<{ finding: string }>(
      db,
      sql`
        select f.id as finding
        from overrides o
        cross join jsonb_to_recordset(o.admits) as a (finding text, digest text)
        join findings f on f.id = a.finding and f.digest = a.digest and f.state = 'open'
        join snapshot s on s.round = ${round} and s.finding = f.id and s.mark = 'probe'
        cross join lateral ${verdictOf(round)} v
        where o.id = ${override.id} and v.verdict = 'absent' and s.entity not in (${keptEntities(catalog, now)})
        order by s.path`,
    );
    const fresh = held.filter(({ finding }) => !admitted.has(finding)).slice(0, override.left);
    for (const { finding } of fresh) admitted.add(finding);
  }
  return admitted.size;
}
