import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type DevServerOptions, DevServerInUse, startDevServer } from '../../src/temporal/dev-server.ts';
import { readRecord, recordFile, writeRecord } from '../../src/temporal/dev-server/server-record.ts';
import { compiled } from '../support/compiled.ts';
import { clientOf, runs, started, wish, withTemporalCli } from '../support/own-dev-server.ts';
import { scratchFolder } from '../support/scratch.ts';

withTemporalCli();

let ownerModule: Awaited<ReturnType<typeof compiled>>;
beforeAll(async () => {
  ownerModule = await compiled('temporal/dev-server.ts');
});
afterAll(() => ownerModule.remove());

/** Another process that starts a server and is then killed with no chance to clean up. */
async function leaveOrphan(options: DevServerOptions): Promise<{ ownerPid: number; pid: number; port: number }> {
  const script = `
    const { startDevServer } = await import(process.argv[1]);
    const { pid, port } = await startDevServer(JSON.parse(process.argv[2]));
    process.stdout.write(JSON.stringify({ ownerPid: process.pid, pid, port }));
    setInterval(() => {}, 1000);`;
  const args = ['--input-type=module', '-e', script, ownerModule.path, JSON.stringify(options)];
  const owner = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [answer] = await once(owner.stdout, 'data');
  owner.kill('SIGKILL');
  await once(owner, 'exit');
  return JSON.parse(String(answer));
}

test('a server whose owner was killed is taken over, and then stopped as our own', async () => {
  const dataDir = await scratchFolder();
  const orphan = await leaveOrphan(wish(dataDir, { storage: 'memory' }));
  expect(await runs(orphan.ownerPid)).toBe(false);
  expect(await runs(orphan.pid)).toBe(true);

  const server = await started(wish(dataDir, { storage: 'memory' }));
  expect(server).toMatchObject({ reused: true, pid: orphan.pid, port: orphan.port });
  expect(await readRecord(dataDir)).toMatchObject({ owner: { pid: process.pid } });
  await server.stop();
  expect(await runs(orphan.pid)).toBe(false);
  expect(await server.exited).toEqual({ code: null, signal: null });
});

test('a left-behind server that does not answer is ended, by force if need be, and replaced', async () => {
  const dataDir = await scratchFolder();
  const orphan = await leaveOrphan(wish(dataDir));
  process.kill(orphan.pid, 'SIGSTOP');
  const server = await started(wish(dataDir));
  expect(server.reused).toBe(false);
  expect(await runs(orphan.pid)).toBe(false);
});

test('a left-behind server without the web page is replaced when the page is wanted', async () => {
  const dataDir = await scratchFolder();
  const orphan = await leaveOrphan(wish(dataDir));
  const server = await started(wish(dataDir, { uiPort: 0 }));
  expect(server.reused).toBe(false);
  expect(await runs(orphan.pid)).toBe(false);
});

test('a stranger that has the recorded pid by now is left alone', async () => {
  const dataDir = await scratchFolder();
  const stranger = spawn('tail', ['-f', '/dev/null'], { detached: true, stdio: 'ignore' });
  onTestFinished(() => void stranger.kill());
  const pid = stranger.pid ?? 0;
  const gone = { pid, startedAt: 'long ago' };
  await writeRecord(dataDir, {
    server: gone,
    owner: gone,
    port: 1,
    uiPort: null,
    serverVersion: '1.32.0',
    dbFile: null,
  });
  const server = await started(wish(dataDir));
  expect(server.reused).toBe(false);
  expect(await runs(pid)).toBe(true);
});

test('a server whose owner is alive is neither shared nor ended', async () => {
  const dataDir = await scratchFolder();
  const first = await started(wish(dataDir));
  await expect(startDevServer(wish(dataDir))).rejects.toThrow(DevServerInUse);
  await clientOf(first);
});

test('a record that cannot be understood is no obstacle', async () => {
  const dataDir = await scratchFolder();
  await writeFile(recordFile(dataDir), '{"server":{"pid":-1,"startedAt":"x"}}');
  expect(await started(wish(dataDir))).toMatchObject({ reused: false });
});
