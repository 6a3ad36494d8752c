import { pathText } from '../../domain/path.ts';
import type { RestoreRecord } from '../../ledger/ledger.ts';
import type { RestoreView } from '../schemas/restore.ts';

export function restoreView({ catalog: _catalog, warnings, ...restore }: RestoreRecord): RestoreView {
  return { ...restore, warnings: warnings.map(({ path, what }) => ({ path: pathText(path), what })) };
}
