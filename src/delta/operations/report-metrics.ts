import { readUuid } from '../rules/names.ts';
import type { TableRef } from '../table.ts';
import { Fields, invalid } from '../wire/fields.ts';
import type { Json, JsonObject } from '../wire/json.ts';
import type { Operation, ReadBody } from './context.ts';

const counts = [
  'num-files-added',
  'num-bytes-added',
  'num-files-removed',
  'num-bytes-removed',
  'num-rows-inserted',
  'num-rows-removed',
  'num-rows-updated',
];

/** Checks a report and lets it go: nothing here is made of it yet. */
export async function reportMetrics<Cx>(
  { backend }: Operation<Cx>,
  ref: TableRef,
  body: ReadBody,
  cx: Cx,
): Promise<void> {
  await backend.authorize({ kind: 'WriteTable', table: ref }, cx);
  const tableId = readReport(body());
  const table = await backend.resolveTable(ref, cx);
  if (table.tableId?.toLowerCase() !== tableId) {
    throw invalid(`table-id is ${tableId}, but the table's id is ${table.tableId}.`);
  }
}

function readReport(body: JsonObject): string {
  const fields = new Fields(body, '', ['table-id', 'report']);
  const tableId = readUuid(fields.text('table-id'), 'table-id');
  fields.nested('report', (report, at) =>
    new Fields(report, at, ['commit-report']).nested('commit-report', checkCommitReport),
  );
  return tableId;
}

function checkCommitReport(value: Json, path: string): true {
  const report = new Fields(value, path, [...counts, 'file-size-histogram']);
  for (const count of counts) report.int64(count);
  report.nested('file-size-histogram', checkHistogram);
  return true;
}

/** One count and one size for each bin, and bins from 0 on. */
function checkHistogram(value: Json, path: string): true {
  const histogram = new Fields(value, path, ['sorted-bin-boundaries', 'file-counts', 'total-bytes', 'commit-version']);
  const boundaries = histogram.int64s('sorted-bin-boundaries') ?? [];
  const lengths = [boundaries, histogram.int64s('file-counts') ?? [], histogram.int64s('total-bytes') ?? []];
  histogram.int64('commit-version');
  if (lengths.some(({ length }) => length !== boundaries.length)) {
    throw invalid(`${path}: sorted-bin-boundaries, file-counts and total-bytes must have one length.`);
  }
  if (boundaries.length > 0 && boundaries[0] !== 0n) throw invalid(`${path}.sorted-bin-boundaries must start with 0.`);
  return true;
}
