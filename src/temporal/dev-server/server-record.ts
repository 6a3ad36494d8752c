import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProcessIdentity } from './process-identity.ts';

/** What the data folder remembers of the dev server, so that one whose owner was killed is found again. */
export interface ServerRecord {
  readonly server: ProcessIdentity;
  /** The process that answers for it. */
  readonly owner: ProcessIdentity;
  readonly port: number;
  /** `null`: started without the web page. */
  readonly uiPort: number | null;
  readonly serverVersion: string;
  /** `null`: kept in memory. */
  readonly dbFile: string | null;
}

/** The record, or `undefined` where there is none or it cannot be understood: then nothing is reused or ended. */
export async function readRecord(dataDir: string): Promise<ServerRecord | undefined> {
  try {
    const record: unknown = JSON.parse(await readFile(recordFile(dataDir), 'utf8'));
    return isRecord(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

/** Written whole or not at all: half a record would lose a running server. */
export async function writeRecord(dataDir: string, record: ServerRecord): Promise<void> {
  const draft = `${recordFile(dataDir)}.${record.owner.pid}`;
  await writeFile(draft, `${JSON.stringify(record, undefined, 2)}\n`, { mode: 0o600 });
  await rename(draft, recordFile(dataDir));
}

export async function removeRecord(dataDir: string): Promise<void> {
  await rm(recordFile(dataDir), { force: true });
}

export function recordFile(dataDir: string): string {
  return join(dataDir, 'temporal-server.json');
}

function isRecord(value: unknown): value is ServerRecord {
  if (!isObject(value)) return false;
  return (
    isIdentity(value['server']) &&
    isIdentity(value['owner']) &&
    typeof value['port'] === 'number' &&
    (value['uiPort'] === null || typeof value['uiPort'] === 'number') &&
    typeof value['serverVersion'] === 'string' &&
    (value['dbFile'] === null || typeof value['dbFile'] === 'string')
  );
}

function isIdentity(value: unknown): value is ProcessIdentity {
  // pid 1 and the negative ones (groups) are never ours, whatever the file says
  return (
    isObject(value) &&
    Number.isInteger(value['pid']) &&
    Number(value['pid']) > 1 &&
    typeof value['startedAt'] === 'string'
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
