import { type SQL, sql } from 'drizzle-orm';
import type { RoundTally } from '../../domain/guard.ts';
import { type LedgerDatabase, rowsOf } from '../database.ts';
import type { CatalogKey } from '../ledger.ts';
import { rowChunks } from './running.ts';

/** Counts for the guard, from the rows themselves: what no one may remove is in no share of anything. */
export async function tallyRound(
  db: LedgerDatabase,
  round: string,
  catalog: CatalogKey,
  now: number,
): Promise<RoundTally> {
  const sum = { registrations: 0, eligible: 0, conclusive: 0, absent: 0 };
  for await (const { from, to } of rowChunks(db, round)) {
    const [chunk] = await rowsOf<typeof sum>(
      db,
      sql`
        select count(*)::int as registrations,
          (count(*) filter (where asked))::int as eligible,
          (count(*) filter (where asked and verdict <> 'unknown'))::int as conclusive,
          (count(*) filter (where asked and verdict = 'absent'))::int as absent
        from (
          select v.verdict, s.mark = 'probe' and kept.entity is null as asked
          from snapshot s
          left join verdicts v on v.round = ${round} and v.row = s.row and v.row >= ${from} and v.row < ${to}
          left join (${keptEntities(catalog, now)}) kept on kept.entity = s.entity
          where s.round = ${round} and s.row >= ${from} and s.row < ${to}
        ) chunk`,
    );
    if (chunk === undefined) continue;
    sum.registrations += chunk.registrations;
    sum.eligible += chunk.eligible;
    sum.conclusive += chunk.conclusive;
    sum.absent += chunk.absent;
  }
  return { ...sum, admitted: await countAdmitted(db, round, catalog, now) };
}

/** Entities that a person keeps, for good or until later than `now`. */
export function keptEntities(catalog: CatalogKey, now: number): SQL {
  return sql`
    select distinct entity from decisions
    where catalog = ${catalog} and state = 'active' and action = 'keep' and (keep_until is null or keep_until > ${now})`;
}

/** Absent registrations that valid overrides admit, each counted once, none beyond what is left of its override. */
async function countAdmitted(db: LedgerDatabase, round: string, catalog: CatalogKey, now: number): Promise<number> {
  const valid = await rowsOf<{ id: string; left: number }>(
    db,
    sql`
      select id, max_count - used as left from overrides
      where catalog = ${catalog} and expires_at > ${now} and used < max_count order by at, id`,
  );
  const admitted = new Set<string>();
  for (const override of valid) {
    const held = await rowsOf<{ finding: string }>(
      db,
      sql`
        select distinct f.id as finding
        from overrides o
        cross join jsonb_to_recordset(o.admits) as a (finding text, digest text)
        join findings f on f.id = a.finding and f.digest = a.digest and f.state = 'open'
        join snapshot s on s.round = ${round} and s.finding = f.id and s.mark = 'probe'
        join verdicts v on v.round = ${round} and v.row = s.row and v.verdict = 'absent'
        left join (${keptEntities(catalog, now)}) kept on kept.entity = s.entity
        where o.id = ${override.id} and kept.entity is null
        order by f.id`,
    );
    const fresh = held.filter(({ finding }) => !admitted.has(finding)).slice(0, override.left);
    for (const { finding } of fresh) admitted.add(finding);
  }
  return admitted.size;
}
