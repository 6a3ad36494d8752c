import { and, eq, gt, isNull, lt, or } from 'drizzle-orm';
import { parsePathText } from '../domain/path.ts';
import type { LedgerDatabase } from './database.ts';
import type { CatalogKey, ReadPattern } from './ledger.ts';
import { keepPatterns, snapshot } from './schema.ts';

export type KeepPatternRow = typeof keepPatterns.$inferSelect;

/** A standing keep that is in force, ready to answer for path texts. */
export interface KeepInForce extends Pick<KeepPatternRow, 'id' | 'pattern' | 'actor' | 'reason' | 'keepUntil'> {
  readonly covers: (pathText: string) => boolean;
}

/** The one that lasts longest first. */
export async function keepsInForce(
  db: LedgerDatabase,
  catalog: CatalogKey,
  now: number,
  read: ReadPattern,
): Promise<readonly KeepInForce[]> {
  const rows = await db
    .select()
    .from(keepPatterns)
    .where(
      and(
        eq(keepPatterns.catalog, catalog),
        isNull(keepPatterns.endedAt),
        or(isNull(keepPatterns.keepUntil), gt(keepPatterns.keepUntil, now)),
      ),
    );
  const lasting = ({ keepUntil }: KeepPatternRow) => keepUntil ?? Number.POSITIVE_INFINITY;
  return rows
    .sort((a, b) => (lasting(a) === lasting(b) ? a.at - b.at : lasting(b) > lasting(a) ? 1 : -1))
    .map((row) => {
      const matches = read(row.pattern);
      const covers = (text: string): boolean => {
        const path = parsePathText(text);
        // a path that nothing of ours wrote matches no pattern, and is kept for just that reason
        return path === undefined || matches(path);
      };
      return { ...row, covers };
    });
}

/** Whether a standing keep covers a registration, or anything that the round listed inside it. */
export async function isKeptByPattern(
  db: LedgerDatabase,
  keeps: readonly KeepInForce[],
  { path, inside }: { readonly path: string; readonly inside: number },
  round: string | null,
): Promise<boolean> {
  const covered = (text: string) => keeps.some(({ covers }) => covers(text));
  if (keeps.length === 0) return false;
  if (covered(path)) return true;
  if (inside === 0) return false;
  const rows = await db
    .select({ path: snapshot.path })
    .from(snapshot)
    .where(and(eq(snapshot.round, round ?? ''), gt(snapshot.path, `${path}/`), lt(snapshot.path, `${path}0`)));
  return rows.some((row) => covered(row.path));
}
