import { sql } from 'drizzle-orm';
import { type Path, pathText } from '../../domain/path.ts';
import type { Evidence, Verdict, VerdictKind } from '../../domain/verdict.ts';
import { type LedgerDatabase, rowsOf } from '../database.ts';
import { fromJson } from '../json-text.ts';
import type { CatalogKey, UnsettledRow } from '../ledger.ts';
import { readVerdict, type VerdictColumns } from '../rows.ts';
import { identityOf, listingOf, verdictOf } from './running.ts';
import { readTarget, type TargetColumns } from './verdicts.ts';

type Unsettled = 'waiting' | 'moved';

/** Which rows are looked at again; written out, so that each is answered from the index of its own few rows. */
const unsettled = {
  waiting: sql`v.verdict = 'unknown' and v.code = 'parent-absent'`,
  moved: sql`v.verdict = 'absent' and v.uid is not null`,
} as const satisfies Record<Unsettled, unknown>;

export async function unsettledRows(
  db: LedgerDatabase,
  which: Unsettled,
  { round, catalog, after, limit }: { round: string; catalog: CatalogKey; after: number; limit: number },
): Promise<readonly UnsettledRow[]> {
  const rows = await rowsOf<
    TargetColumns & VerdictColumns & { readonly body: unknown; readonly probed_at: number | string }
  >(
    db,
    sql`
      select s.row, s.path, s.kind, s.location, i.found as known_found, i.uid as known_uid,
        v.verdict, v.code, v.found, v.uid, v.moved_to, v.taken, v.probed_at, e.body
      from verdicts v
      cross join lateral ${listingOf(round)} s
      join evidence e on e.digest = v.evidence
      left join lateral ${identityOf(catalog)} i on true
      where v.round = ${round} and v.row > ${after} and ${unsettled[which]}
      order by v.row limit ${limit}`,
  );
  return rows.map((row) => ({
    ...readTarget(row),
    verdict: readVerdict(row),
    evidence: fromJson(row.body) as Evidence,
    probedAt: Number(row.probed_at),
  }));
}

export async function verdictsAt(
  db: LedgerDatabase,
  round: string,
  paths: readonly Path[],
): Promise<ReadonlyMap<string, Verdict['kind']>> {
  const rows = await rowsOf<{ path: string; verdict: VerdictKind }>(
    db,
    sql`
      select s.path, v.verdict from snapshot s cross join lateral ${verdictOf(round)} v
      where s.round = ${round} and s.path = any(${sql.param(paths.map(pathText))}::text[])`,
  );
  return new Map(rows.map(({ path, verdict }) => [path, verdict]));
}

export async function registeredAt(
  db: LedgerDatabase,
  round: string,
  paths: readonly Path[],
): Promise<ReadonlySet<string>> {
  const rows = await rowsOf<{ path: string }>(
    db,
    sql`
      select path from snapshot
      where round = ${round} and path = any(${sql.param(paths.map(pathText))}::text[])`,
  );
  return new Set(rows.map(({ path }) => path));
}
