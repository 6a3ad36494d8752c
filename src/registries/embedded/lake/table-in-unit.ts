import type { UpdateTableSpec } from '../../../delta/backend.ts';
import type { CommitLog } from '../../../delta/commits/commit-log.ts';
import type { ResolvedTable } from '../../../delta/table.ts';

/** One table of the lake while nobody else can change it. */
export interface TableInUnit {
  readonly table: ResolvedTable;
  readonly log: CommitLog;
  updateTableRow(spec: UpdateTableSpec): Promise<ResolvedTable>;
}
