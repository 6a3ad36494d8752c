import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { searchAttributes } from '../../src/contract/names.ts';
import { type DevServer, endOrphan, startDevServer } from '../../src/temporal/dev-server.ts';
import { stillRuns } from '../../src/temporal/dev-server/process-identity.ts';
import { readRecord } from '../../src/temporal/dev-server/server-record.ts';
import { temporalCli } from './temporal-binaries.ts';

/** Starts a dev server for one test run, in memory; ends first what killed runs left behind. */
export async function startSharedDevServer(): Promise<DevServer> {
  await mkdir(runs, { recursive: true });
  await endLeftovers();
  const { path, serverVersion } = await temporalCli();
  const dataDir = await mkdtemp(join(runs, 'run-'));
  const server = await startDevServer({
    executable: path,
    serverVersion,
    dataDir,
    storage: 'memory',
    port: 0,
    uiPort: null,
    namespace: 'default',
    searchAttributes: Object.values(searchAttributes),
  });
  return { ...server, stop: () => server.stop().then(() => rm(dataDir, { recursive: true, force: true })) };
}

async function endLeftovers(): Promise<void> {
  for (const run of await readdir(runs)) {
    const dataDir = join(runs, run);
    const record = await readRecord(dataDir);
    if (record === undefined || (await stillRuns(record.owner))) continue; // a run beside this one
    await endOrphan(dataDir);
    await rm(dataDir, { recursive: true, force: true });
  }
}

const runs = join(tmpdir(), 'catalog-reconciler-tests');
