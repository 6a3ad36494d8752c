import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { stillRuns } from '../../src/temporal/dev-server/process-identity.ts';
import { readRecord } from '../../src/temporal/dev-server/server-record.ts';
import { callsTo } from '../kills/api-calls.ts';
import { endsTemporalOf } from '../kills/cli-process.ts';
import { scratchFolder } from '../support/scratch.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');

/** Installing, building, starting everything and three rounds, on a busy machine. */
const patienceMs = 240_000;

test('npm start from a fresh clone: drift is found, one removal approved, and the next start goes on', {
  timeout: 900_000,
}, async () => {
  const folder = await scratchFolder();
  const clone = join(folder, 'clone');
  await run('git', ['clone', '--quiet', root, clone]);
  await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: clone });
  const dataDir = join(folder, 'data');
  const temporalOf = async () => (await readRecord(join(dataDir, 'temporal')))?.server;
  endsTemporalOf(dataDir);

  const first = start(clone, dataDir);
  await first.says(/Approve one removal/);
  expect(first.output()).toMatch(/demo\/offline: unreachable/);
  const shop = callsTo(() => first.address(), 'demo', 'shop');
  const found = await shop.stale();
  expect(new Set(found.map(({ verdict }) => verdict))).toEqual(new Set(['absent', 'renamed', 'replaced']));
  const coupons = found.filter(({ path }) => path === 'sales/coupons');
  expect((await shop.approve(coupons, 'the-coupons')).answers).toMatchObject([{ answer: 'accepted' }]);
  await until('sales/coupons is removed', patienceMs, async () =>
    (await shop.removals()).some(({ path, outcome }) => path === 'sales/coupons' && outcome === 'removed'),
  );

  const server = await temporalOf();
  expect(await first.interrupt()).toBeLessThan(10_000);
  expect(server !== undefined && (await stillRuns(server))).toBe(false);

  const second = start(clone, dataDir);
  await second.says(/What you can do now/);
  const again = callsTo(() => second.address(), 'demo', 'shop');
  expect((await again.stale()).map(({ path }) => path)).toEqual(
    found.map(({ path }) => path).filter((path) => path !== 'sales/coupons'),
  );
  expect(await again.removals()).toHaveLength(1);
  expect(await second.interrupt()).toBeLessThan(10_000);
});

/** `npm start` as a person types it, on a data folder of the test's own. */
function start(clone: string, dataDir: string) {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(TEMPORAL|RECONCILER|DEMO|npm)_/i.test(name));
  const child = spawn('npm', ['start', '--', '--data-dir', dataDir, '--port', '0'], {
    cwd: clone,
    env: Object.fromEntries(inherited),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // a process group of its own, as a terminal gives it
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()));
  const ended = () => child.exitCode !== null || child.signalCode !== null;
  onTestFinished(() => {
    if (!ended() && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  });
  return {
    output: () => output,
    address: () => /API +(http:\S+)/.exec(output)?.[1] ?? '',
    async says(what: RegExp): Promise<void> {
      await until(`npm start says ${what}`, patienceMs, () => what.test(output) || ended(), 100);
      if (!what.test(output)) throw new Error(`npm start ended and never said ${what}:\n${output}`);
    },
    /** Ctrl-C, which a terminal sends to the whole group. How long it took until the last of it was gone, in ms. */
    async interrupt(): Promise<number> {
      const asked = performance.now();
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
      // npm itself may be gone before what it started is
      await until('nothing of it is left', patienceMs, () => !groupLives(child.pid));
      return performance.now() - asked;
    },
  };
}

function groupLives(leader: number | undefined): boolean {
  try {
    return leader !== undefined && process.kill(-leader, 0);
  } catch {
    return false;
  }
}
