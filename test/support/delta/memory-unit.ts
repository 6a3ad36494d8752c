import type { TableUnitOfWork, UpdateTableSpec } from '../../../src/delta/backend.ts';
import type { CommitLog, CommitLogChange } from '../../../src/delta/commits/commit-log.ts';
import { DeltaError } from '../../../src/delta/delta-error.ts';
import type { ResolvedTable, TrackedCommit } from '../../../src/delta/table.ts';
import type { MemoryTable } from './memory-store.ts';
import { turn } from './turn.ts';

/** Works on a draft, which becomes the table when the work has ended well. */
export class MemoryUnit implements TableUnitOfWork {
  readonly table: ResolvedTable;
  readonly log: CommitLog;
  private readonly draft: Pick<MemoryTable, 'row' | 'log' | 'files'>;
  private readonly now: () => bigint;

  constructor({ row, log, files }: MemoryTable, now: () => bigint) {
    this.draft = { row, log, files };
    this.table = row;
    this.now = now;
    this.log = {
      tracked: async () => turn(this.draft.log),
      fileNameOf: async (version) => turn(this.draft.files.get(version)),
      apply: async (change) => turn(this.apply(change)),
    };
  }

  async updateTableRow(spec: UpdateTableSpec): Promise<ResolvedTable> {
    const { row } = this.draft;
    if (row.tableId !== spec.tableId || row.metadataVersion !== spec.expectedMetadataVersion) {
      throw new DeltaError('UpdateRequirementConflict', `Table was changed meanwhile: ${row.name}`);
    }
    const { uniform: before, ...rest } = row;
    const uniform = spec.uniform === undefined ? before : (spec.uniform ?? undefined);
    this.draft.row = {
      ...rest,
      columns: spec.columns,
      properties: new Map(spec.properties),
      ...(spec.comment === undefined ? {} : { comment: spec.comment }),
      ...(uniform === undefined ? {} : { uniform }),
      ...(spec.metadataChanged ? { metadataVersion: row.metadataVersion + 1n, updatedAtMs: this.now() } : {}),
    };
    return turn(this.draft.row);
  }

  keepIn(table: MemoryTable): void {
    Object.assign(table, this.draft);
  }

  private apply({ insert, removeUpTo, markBackfilled }: CommitLogChange): boolean {
    const { log, files } = this.draft;
    if (insert !== undefined && log.some(({ version }) => version === insert.version)) return false;
    const all: TrackedCommit[] = insert === undefined ? [...log] : [...log, { ...insert, backfilled: false }];
    const gone = all.filter(({ version }) => removeUpTo !== undefined && version <= removeUpTo);
    this.draft.log = all
      .filter((row) => !gone.includes(row))
      .map((row) => (row.version === markBackfilled ? { ...row, backfilled: true } : row));
    this.draft.files = new Map([...files, ...gone.map(({ version, fileName }) => [version, fileName] as const)]);
    return true;
  }
}
