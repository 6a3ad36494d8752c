import { sql } from 'drizzle-orm';
import type { Blocker, InsideBlock } from '../../domain/containers.ts';
import { insideBounds, type Path, pathText } from '../../domain/path.ts';
import { type LedgerDatabase, rowsAStatement, rowsOf } from '../database.ts';
import type { CatalogKey, InsideRow } from '../ledger.ts';
import { readPath } from '../rows.ts';
import { listingOf, verdictOf, wasRemoved } from './running.ts';
import { keptEntities } from './tally.ts';

export async function inside(
  db: LedgerDatabase,
  round: string,
  container: Path,
  page: { readonly after?: Path; readonly limit: number },
): Promise<readonly InsideRow[]> {
  const { above, below } = insideBounds(container);
  const after = page.after === undefined ? above : pathText(page.after);
  const rows = await rowsOf<Omit<InsideRow, 'path'> & { path: string }>(
    db,
    sql`
      select entity, version, path, ${wasRemoved(round, sql`snapshot.entity`)} as returned from snapshot
      where round = ${round} and path > ${after} and path > ${above} and path < ${below}
      order by path limit ${page.limit}`,
  );
  return rows.map((row) => ({ ...row, path: readPath(row.path) }));
}

/**
 * Reads a container's contents in order of path until one of them blocks it. Whatever has no absent verdict of its own
 * in this very round blocks, however that came about.
 */
export async function firstBlocker(
  db: LedgerDatabase,
  { round, catalog, container }: { readonly round: string; readonly catalog: CatalogKey; readonly container: Path },
  rule: { readonly now: number; readonly minimumAgeMs: number },
): Promise<Blocker | undefined> {
  const { above, below } = insideBounds(container);
  for (let after = above; ; ) {
    const [chunk] = await rowsOf<{ seen: number; last: string | null; path: string | null; why: InsideBlock | null }>(
      db,
      sql`
        with chunk as materialized (
          select * from snapshot
          where round = ${round} and path > ${after} and path < ${below} order by path limit ${rowsAStatement}
        ), judged as (
          select s.path, case
            when s.mark <> 'probe' then s.mark
            when v.verdict is distinct from 'absent' then 'not-absent'
            when s.entity in (${keptEntities(catalog, rule.now)}) then 'kept'
            when s.entity in (${rejectedEntities(catalog)}) then 'rejected'
            when s.created_at > ${rule.now - rule.minimumAgeMs} then 'too-young'
          end as why
          from chunk s left join lateral ${verdictOf(round)} v on true
        ), first as (
          select path, why from judged where why is not null order by path limit 1
        )
        select (select count(*) from chunk)::int as seen, (select max(path) from chunk) as last,
          (select path from first) as path, (select why from first) as why`,
    );
    if (chunk === undefined) return undefined;
    if (chunk.path !== null && chunk.why !== null) return { path: readPath(chunk.path), why: chunk.why };
    if (chunk.last === null || chunk.seen < rowsAStatement) return undefined;
    after = chunk.last;
  }
}

/** Entities whose open finding a person rejected, as long as its evidence is the one that was rejected. */
function rejectedEntities(catalog: CatalogKey) {
  return sql`
    select d.entity from decisions d
    join findings f on f.id = d.finding and f.state = 'open' and f.digest = d.digest
    where d.catalog = ${catalog} and d.state = 'active' and d.action = 'reject'`;
}

/** Only schemas contain anything. */
export async function absentContainers(db: LedgerDatabase, round: string): Promise<ReadonlySet<string>> {
  const containers = new Set<string>();
  for (let after = ''; ; ) {
    const rows = await rowsOf<{ path: string; container: boolean }>(
      db,
      sql`
        select v.path, v.verdict = 'absent' and s.kind = 'schema' as container
        from verdicts v cross join lateral ${listingOf(round)} s
        where v.round = ${round} and v.path is not null and v.path > ${after}
        order by v.path limit ${rowsAStatement}`,
    );
    for (const { path, container } of rows) if (container) containers.add(path);
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsAStatement) return containers;
    after = last.path;
  }
}
