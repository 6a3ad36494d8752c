/**
 * Runs every path of the workflows on a real Temporal server and saves its history: `npm run record-histories [NAME …]`.
 * Histories are append-only: an existing file is left as it is, since what once ran must replay for ever. A new path,
 * or a change behind `patched`, gets a file of its own.
 */
import { access, mkdir, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import pLimit from 'p-limit';
import { startSharedDevServer } from '../support/shared-dev-server.ts';
import { historiesFolder } from './histories.ts';
import { type Recorded, paths } from './paths.ts';

/** What tells of the machine that recorded, and plays no part in replay: who polled, and where in our files it failed. */
function withoutMachine(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(`${process.pid}@${hostname()}`, 'recorder');
  if (Array.isArray(value)) return value.map(withoutMachine);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === 'stackTrace' ? '' : withoutMachine(inner)]),
  );
}

async function save(name: string, { workflowId, history }: Recorded): Promise<void> {
  const told = withoutMachine(JSON.parse(historyToJSON(history)));
  await writeFile(join(historiesFolder, `${name}.json`), `${JSON.stringify({ workflowId, history: told })}\n`);
  process.stdout.write(`recorded ${name}\n`);
}

const exists = (name: string): Promise<boolean> =>
  access(join(historiesFolder, `${name}.json`)).then(
    () => true,
    () => false,
  );

const asked = process.argv.slice(2);
await mkdir(historiesFolder, { recursive: true });
const server = await startSharedDevServer();
// Most of a path is waiting between Temporal and the worker.
const few = pLimit(4);
try {
  await Promise.all(
    Object.entries(paths).map(([name, record]) =>
      few(async () => {
        if ((asked.length > 0 && !asked.includes(name)) || (await exists(name))) return;
        await save(name, await record(server.address));
      }),
    ),
  );
} finally {
  await server.stop();
}
