import { type Path, isInside } from '../../domain/path.ts';
import type { AbsentRow, RoundLedger } from '../../ledger/ledger.ts';
import type { StaleSchemas } from '../schemas/reconcile.ts';

/** Rows a query: few enough for a quick statement, many enough that a catalog's schemas are read in one or two. */
const pageSize = 1_000;

/** Every schema that the round's scan found absent, in order of path. */
export async function absentSchemas(rounds: RoundLedger, roundId: string): Promise<readonly AbsentRow[]> {
  const all: AbsentRow[] = [];
  for (let after: Path | undefined; ; ) {
    const page = await rounds.absent(roundId, {
      kind: 'schema',
      limit: pageSize,
      ...(after === undefined ? {} : { after }),
    });
    all.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return all;
    after = last.path;
  }
}

/**
 * The rows of a first look with what a later look knows of their removal. A newer round may have replaced the verdicts
 * meanwhile; that must not make this scan's list shorter.
 */
export function withRemovals(first: readonly AbsentRow[], later: readonly AbsentRow[]): readonly AbsentRow[] {
  const removed = new Set(later.filter((row) => row.removed).map((row) => row.entity));
  return first.map((row) => (row.removed || !removed.has(row.entity) ? row : { ...row, removed: true }));
}

/** The answer of both endpoints. A schema inside a removed one went with it. */
export function staleSchemas(catalog: string, rows: readonly AbsentRow[]): StaleSchemas {
  const gone = rows.filter((row) => row.removed);
  return {
    catalog,
    catalogUnreachable: false,
    staleSchemas: rows.map(({ path, firstMissedAt, probedAt, removed }) => ({
      name: path.join('.'),
      detectedAt: firstMissedAt ?? probedAt,
      removed: removed || gone.some((container) => isInside(path, container.path)),
    })),
  };
}

/** What both endpoints answer where the source could not be asked. */
export function unreachableCatalog(catalog: string): StaleSchemas {
  return { catalog, catalogUnreachable: true, staleSchemas: [] };
}
