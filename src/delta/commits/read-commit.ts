import type { Commit } from '../table.ts';
import { Fields, invalid, required } from '../wire/fields.ts';
import type { Json, JsonObject } from '../wire/json.ts';

const numbers = ['version', 'timestamp', 'file-size', 'file-modification-timestamp'] as const;

/** A commit as it was sent; which of it is missing is said where the rules come to it. */
export type CommitFields = Readonly<Partial<Record<(typeof numbers)[number], bigint>>> & {
  readonly 'file-name'?: string;
};

export function readCommitFields(value: Json, path: string): CommitFields {
  const fields = new Fields(value, path, [...numbers, 'file-name']);
  const fileName = fields.text('file-name');
  const given = numbers.flatMap((key) => {
    const number = fields.int64(key);
    return number === undefined ? [] : [[key, number] as const];
  });
  return { ...Object.fromEntries(given), ...(fileName === undefined ? {} : { 'file-name': fileName }) };
}

export function checkCommit(fields: CommitFields): Commit {
  const positive = (key: (typeof numbers)[number]): bigint => {
    const value = required(fields[key], `commit.${key}`);
    if (value <= 0n) throw invalid(`Field must be positive: ${key}`);
    return value;
  };
  return {
    version: positive('version'),
    timestamp: positive('timestamp'),
    fileName: fileName(fields['file-name']),
    fileSize: positive('file-size'),
    fileModificationTimestamp: positive('file-modification-timestamp'),
  };
}

export function commitJson(commit: Commit): JsonObject {
  return {
    version: commit.version,
    timestamp: commit.timestamp,
    'file-name': commit.fileName,
    'file-size': commit.fileSize,
    'file-modification-timestamp': commit.fileModificationTimestamp,
  };
}

/** One segment of a path: the name is put below `_delta_log/_staged_commits/`, and must stay there. */
function fileName(name: string | undefined): string {
  if (name === undefined || name === '') throw invalid('commit.file-name is required.');
  if (/[/\\]/.test(name) || name === '.' || name === '..') {
    throw invalid(
      `commit.file-name must be the name of one file, without a path: ${JSON.stringify(name.slice(0, 300))}.`,
    );
  }
  return name;
}
