import { sql } from 'drizzle-orm';
import { canonical } from '../../domain/digest.ts';
import type { RowRange } from '../../domain/lanes.ts';
import { type Path, pathText } from '../../domain/path.ts';
import type { EntityKind, ObjectKind } from '../../domain/registration.ts';
import type { Evidence, Verdict, VerdictKind } from '../../domain/verdict.ts';
import { type LedgerDatabase, rowsOf } from '../database.ts';
import { fromJson, toJsonText } from '../json-text.ts';
import type { CatalogKey, TargetRow, UnsettledRow, VerdictRow } from '../ledger.ts';
import { evidenceDigest, readIdentity, readPath, readVerdict, type VerdictColumns, verdictDetail } from '../rows.ts';
import { runningRound, superseded } from './running.ts';

interface TargetColumns {
  readonly row: number;
  readonly path: string;
  readonly kind: EntityKind;
  readonly known_found: ObjectKind | null;
  readonly known_uid: string | null;
}

export async function targets(
  db: LedgerDatabase,
  round: string,
  catalog: CatalogKey,
  range: RowRange,
  limit: number,
): Promise<readonly TargetRow[]> {
  const rows = await rowsOf<TargetColumns>(
    db,
    sql`
      select s.row, s.path, s.kind, i.found as known_found, i.uid as known_uid
      from snapshot s left join identities i on i.catalog = ${catalog} and i.entity = s.entity
      where s.round = ${round} and s.row >= ${range.from} and s.row < ${range.to} and s.mark = 'probe'
      order by s.row limit ${limit}`,
  );
  return rows.map(readTarget);
}

/**
 * Most verdicts of a round are present and on the same evidence: so evidence is written once a batch and referred to by
 * number, and only what is not present carries its path.
 */
export async function recordVerdicts(db: LedgerDatabase, round: string, rows: readonly VerdictRow[]): Promise<void> {
  if (rows.length === 0) return;
  const { digests, bodies, numbers } = distinctEvidence(rows);
  const values = toJsonText(
    rows.map(({ row, verdict, probedAt }, index) => ({
      row,
      verdict: verdict.kind,
      code: verdict.code,
      ...verdictDetail(verdict),
      e: numbers[index],
      at: probedAt,
    })),
  );
  const [answer] = await rowsOf<{ running: number }>(
    db,
    sql`
      with ${runningRound(round)}, proof as (
        insert into evidence (digest, body)
        select p.digest, p.body
        from running cross join json_to_recordset(${bodies}::json) as p (digest text, body jsonb)
        on conflict (digest) do nothing
      ), written as (
        insert into verdicts (round, row, path, verdict, code, found, uid, moved_to, taken, evidence, probed_at)
        select ${round}, v.row,
          case when v.verdict not in ('present', 'unknown') then
            (select s.path from snapshot s where s.round = ${round} and s.row = v.row)
          end,
          v.verdict, v.code, v.found, v.uid, v.moved_to, v.taken, (${sql.param(digests)}::text[])[v.e], v.at
        from running cross join json_to_recordset(${values}::json) as v
          (row int, verdict text, code text, found text, uid text, moved_to text, taken boolean, e int, at bigint)
        on conflict (round, row) do update set
          path = excluded.path, verdict = excluded.verdict, code = excluded.code, found = excluded.found,
          uid = excluded.uid, moved_to = excluded.moved_to, taken = excluded.taken,
          evidence = excluded.evidence, probed_at = excluded.probed_at
      )
      select count(*)::int as running from running`,
  );
  if (answer?.running !== 1) throw superseded(round);
}

/** Digests, each once and in one order for everybody, so that two lanes writing the same ones cannot block each other. */
function distinctEvidence(rows: readonly VerdictRow[]): {
  readonly digests: readonly string[];
  readonly bodies: string;
  /** Per row, the number of its digest, counted from 1. */
  readonly numbers: readonly number[];
} {
  const ofObject = new Map<Evidence, string>();
  const ofText = new Map<string, string>();
  const byDigest = new Map<string, Evidence>();
  for (const { evidence } of rows) {
    if (ofObject.has(evidence)) continue;
    const text = canonical(evidence);
    const digest = ofText.get(text) ?? evidenceDigest(evidence);
    ofText.set(text, digest);
    ofObject.set(evidence, digest);
    byDigest.set(digest, evidence);
  }
  const digests = [...byDigest.keys()].sort();
  const numberOf = new Map(digests.map((digest, index) => [digest, index + 1]));
  return {
    digests,
    bodies: toJsonText(digests.map((digest) => ({ digest, body: byDigest.get(digest) }))),
    numbers: rows.map(({ evidence }) => numberOf.get(ofObject.get(evidence) ?? '') ?? 0),
  };
}

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
      select s.row, s.path, s.kind, i.found as known_found, i.uid as known_uid,
        v.verdict, v.code, v.found, v.uid, v.moved_to, v.taken, v.probed_at, e.body
      from verdicts v
      join snapshot s on s.round = v.round and s.row = v.row
      join evidence e on e.digest = v.evidence
      left join identities i on i.catalog = ${catalog} and i.entity = s.entity
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
      select s.path, v.verdict from snapshot s join verdicts v on v.round = s.round and v.row = s.row
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

function readTarget(row: TargetColumns): TargetRow {
  const remembered = readIdentity(row);
  return {
    row: row.row,
    path: readPath(row.path),
    kind: row.kind,
    ...(remembered === undefined ? {} : { remembered }),
  };
}
