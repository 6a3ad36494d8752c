import type { RemovalRecord } from './ledger.ts';
import { shownPath } from './rows.ts';
import type { removals } from './schema.ts';

export function removalRecord(row: typeof removals.$inferSelect): RemovalRecord {
  const { movedTo, path, ...rest } = row;
  return { ...rest, path: shownPath(path), ...(movedTo === null ? {} : { movedTo: shownPath(movedTo) }) };
}
