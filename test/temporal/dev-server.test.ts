import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { defineSearchAttributeKey } from '@temporalio/common';
import { expect, onTestFinished, test } from 'vitest';
import { type DevServer, LaunchFailed, startDevServer } from '../../src/temporal/dev-server.ts';
import { readRecord, recordFile } from '../../src/temporal/dev-server/server-record.ts';
import { clientOf, end, runs, started, wish, withTemporalCli } from '../support/own-dev-server.ts';
import { scratchFolder } from '../support/scratch.ts';

withTemporalCli();

test('a server starts on the wished ports, answers, and leaves nothing when stopped', async () => {
  const dataDir = await scratchFolder();
  const server = await started(wish(dataDir, { uiPort: 0 }));
  expect(server).toMatchObject({ reused: false, serverVersion: wish(dataDir).serverVersion });
  const page = await fetch(`http://127.0.0.1:${server.uiPort}/`);
  expect(page.status).toBe(200);
  const client = await clientOf(server);
  expect(await client.connection.workflowService.getSystemInfo({})).toMatchObject({
    serverVersion: wish(dataDir).serverVersion,
  });
  expect(await readRecord(dataDir)).toMatchObject({ server: { pid: server.pid }, port: server.port });

  const began = performance.now();
  await Promise.all([server.stop(), server.stop()]);
  expect(performance.now() - began).toBeLessThan(5_000);
  expect(await runs(server.pid)).toBe(false);
  expect(await server.exited).toEqual({ code: 0, signal: null });
  expect(existsSync(recordFile(dataDir))).toBe(false);
});

test('a taken port is told by the port that is returned', async () => {
  const occupier = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void occupier.close());
  await once(occupier, 'listening');
  const place = occupier.address();
  const taken = typeof place === 'object' && place !== null ? place.port : 0;
  const server = await started(wish(await scratchFolder(), { port: taken, uiPort: taken }));
  expect(new Set([taken, server.port, server.uiPort]).size).toBe(3);
  await clientOf(server);
});

test('workflows survive a kill of the server, and the wished port stays the same', async () => {
  const dataDir = await scratchFolder();
  const first = await started(wish(dataDir));
  await (await clientOf(first)).workflow.start('waits', { workflowId: 'survivor', taskQueue: 'nobody' });
  process.kill(first.pid, 'SIGKILL');
  expect(await first.exited).toEqual({ code: null, signal: 'SIGKILL' });

  const second = await started(wish(dataDir, { port: first.port }));
  expect(second).toMatchObject({ reused: false, port: first.port });
  const description = await (await clientOf(second)).workflow.getHandle('survivor').describe();
  expect(description.status.name).toBe('RUNNING');
});

test('search attributes can be used at once, also when the database file is older than they are', async () => {
  const dataDir = await scratchFolder();
  const catalogId = defineSearchAttributeKey('CatalogId', 'KEYWORD');
  const staleCount = defineSearchAttributeKey('StaleCount', 'INT');
  const startTagged = async (server: DevServer, workflowId: string) => {
    const client = await clientOf(server);
    await client.workflow.start('waits', {
      workflowId,
      taskQueue: 'nobody',
      typedSearchAttributes: [
        { key: catalogId, value: 'lake/sales' },
        { key: staleCount, value: 3 },
      ],
    });
  };
  const without = await startDevServer(wish(dataDir));
  await end(without);
  const withThem = await started(wish(dataDir, { searchAttributes: [catalogId, staleCount] }));
  await startTagged(withThem, 'first');
  await end(withThem);
  const again = await started(wish(dataDir, { searchAttributes: [catalogId, staleCount] }));
  await startTagged(again, 'second');
});

test('a search attribute of another type is refused, and the server does not stay', async () => {
  const dataDir = await scratchFolder();
  const first = await startDevServer(wish(dataDir, { searchAttributes: [{ name: 'CatalogId', type: 'KEYWORD' }] }));
  await end(first);
  const second = startDevServer(wish(dataDir, { searchAttributes: [{ name: 'CatalogId', type: 'INT' }] }));
  await expect(second).rejects.toThrow('CatalogId exists with another type than Int');
  expect(await readRecord(dataDir)).toBeUndefined();
});

async function fakeCli(dataDir: string, script: string): Promise<string> {
  const path = join(dataDir, 'temporal');
  await writeFile(path, `#!/bin/sh\necho start >> '${dataDir}/starts'\n${script}\n`, { mode: 0o755 });
  return path;
}

test('a server that cannot start is told of with the end of its log', async () => {
  const dataDir = await scratchFolder();
  const executable = await fakeCli(dataDir, 'echo "database disk image is malformed" >&2; exit 3');
  const failure = await startDevServer(wish(dataDir, { executable })).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(LaunchFailed);
  expect(failure).toHaveProperty('message', expect.stringContaining('malformed'));
  expect(await readRecord(dataDir)).toBeUndefined();
  expect(await readFile(join(dataDir, 'starts'), 'utf8')).toBe('start\n');
});

test('a port lost between our look and the start is tried again, three times at most', async () => {
  const dataDir = await scratchFolder();
  const executable = await fakeCli(dataDir, 'echo "listen tcp: bind: address already in use" >&2; exit 1');
  await expect(startDevServer(wish(dataDir, { executable }))).rejects.toThrow('address already in use');
  expect(await readFile(join(dataDir, 'starts'), 'utf8')).toBe('start\n'.repeat(3));
});

test('a program that cannot run at all is told of', async () => {
  const dataDir = await scratchFolder();
  const executable = join(dataDir, 'nothing-here');
  await expect(startDevServer(wish(dataDir, { executable }))).rejects.toThrow(/did not start: .*ENOENT/);
});
