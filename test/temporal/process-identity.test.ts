import { spawn } from 'node:child_process';
import { on } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { endServer } from '../../src/temporal/dev-server/ending.ts';
import { identify, stillRuns } from '../../src/temporal/dev-server/process-identity.ts';

/** A shell that leads its own group; its script prints what it has to say and then `ready`. */
async function shell(script: string): Promise<{ pid: number; said: string }> {
  const child = spawn('sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  for await (const chunk of on(child.stdout, 'data')) {
    said += String(chunk);
    if (said.endsWith('ready\n')) break;
  }
  return { pid: child.pid ?? 0, said: said.replace('ready', '').trim() };
}

// macOS has no /proc: the way by ps is tested here as well
test.each(['linux', 'darwin'] as const)(
  '%s: a process keeps its identity, another has another one',
  async (platform) => {
    const { pid } = await shell('echo ready; exec tail -f /dev/null');
    const seen = await identify(pid, platform);
    expect(seen).toEqual({ pid, startedAt: expect.stringMatching(/\d/) });
    expect(await identify(pid, platform)).toEqual(seen);
    expect((await identify(1, platform))?.startedAt).not.toBe(seen?.startedAt);
  },
);

test.each(['linux', 'darwin'] as const)('%s: a process that nobody collected counts as gone', async (platform) => {
  // a parent whose event loop stands still collects nobody
  const script =
    'const child = require("node:child_process").spawn("tail", ["-f", "/dev/null"]);' +
    'console.log(child.pid); console.log("ready");' +
    'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);';
  const { said } = await shell(`exec '${process.execPath}' -e '${script}'`);
  process.kill(Number(said), 'SIGKILL');
  await vi.waitFor(async () => expect(await identify(Number(said), platform)).toBeUndefined(), { timeout: 5_000 });
  expect(() => process.kill(Number(said), 0)).not.toThrow(); // and yet its pid is taken
});

test('a stubborn server is ended by force, its children with it, within 5 s', async () => {
  const { pid, said } = await shell('trap "" TERM; tail -f /dev/null & echo $!; echo ready; while :; do wait; done');
  const [server, child] = [await identify(pid), await identify(Number(said))];
  if (server === undefined || child === undefined) throw new TypeError('the shell ended early');
  const began = performance.now();
  await endServer(server);
  expect(performance.now() - began).toBeLessThan(5_000);
  expect(await stillRuns(server)).toBe(false);
  await vi.waitFor(async () => expect(await stillRuns(child)).toBe(false));
});

test('the pid of a process that is gone is not signalled', async () => {
  const { pid } = await shell('echo ready; exec tail -f /dev/null');
  await endServer({ pid, startedAt: 'long ago' });
  expect(await identify(pid)).toBeDefined();
});
