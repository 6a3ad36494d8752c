import type { RemovalRecord } from './ledger.ts';
import { shownPath } from './rows.ts';
import type { removals } from './schema.ts';

export function removalRecord(row: typeof removals.$inferSelect): RemovalRecord {
  return { ...row, path: shownPath(row.path) };
}
