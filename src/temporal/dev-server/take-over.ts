import { setTimeout as pause } from 'node:timers/promises';
import { answers } from './answering.ts';
import { endServer } from './ending.ts';
import { addressOf } from './launch.ts';
import { type ProcessIdentity, stillRuns } from './process-identity.ts';
import { readRecord, removeRecord, type ServerRecord, writeRecord } from './server-record.ts';

/** What a server left behind must have to be of use. */
export interface Needs {
  readonly dbFile: string | null;
  readonly namespace: string;
  readonly withUi: boolean;
}

/** The server of this data folder has an owner, and that one is alive. */
export class DevServerInUse extends Error {
  override readonly name = 'DevServerInUse';

  constructor(dataDir: string, ownerPid: number) {
    super(
      `The Temporal dev server of ${dataDir} belongs to process ${ownerPid}, which is running. ` +
        'End that one first, or use another data folder.',
    );
  }
}

/**
 * Takes over a server whose owner was killed, if it answers and fits; otherwise ends it and leaves the folder clean.
 * A server is recognised by pid *and* start time, so no stranger is ever taken over or ended.
 */
export async function takeOver(
  dataDir: string,
  owner: ProcessIdentity,
  needs: Needs,
): Promise<ServerRecord | undefined> {
  const left = await orphanOf(dataDir);
  if (left === undefined) return undefined;
  const fits = left.dbFile === needs.dbFile && (left.uiPort !== null || !needs.withUi);
  if (fits && (await answers(addressOf(left.port), needs.namespace))) {
    const ours = { ...left, owner };
    await writeRecord(dataDir, ours);
    return ours;
  }
  await endOrphan(dataDir);
  return undefined;
}

/** Ends the server that a killed owner left behind in this data folder, if there is one. */
export async function endOrphan(dataDir: string): Promise<void> {
  const left = await orphanOf(dataDir);
  if (left === undefined) return;
  await endServer(left.server);
  await removeRecord(dataDir);
}

/** The server that this data folder says is running, if it does. Changes nothing. */
export async function runningDevServer(dataDir: string): Promise<{ readonly address: string } | undefined> {
  const record = await readRecord(dataDir);
  return record !== undefined && (await stillRuns(record.server)) ? { address: addressOf(record.port) } : undefined;
}

/** Resolves when a process that is not our child is gone. Does not keep us alive by itself. */
export async function untilGone(server: ProcessIdentity): Promise<void> {
  while (await stillRuns(server)) await pause(lookEveryMs, undefined, { ref: false });
}

async function orphanOf(dataDir: string): Promise<ServerRecord | undefined> {
  const record = await readRecord(dataDir);
  if (record === undefined || !(await stillRuns(record.server))) return undefined;
  if (await stillRuns(record.owner)) throw new DevServerInUse(dataDir, record.owner.pid);
  return record;
}

const lookEveryMs = 1_000; // reads one small file; a crash may be noticed a second late
