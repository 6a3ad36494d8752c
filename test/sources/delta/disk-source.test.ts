import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Path } from '../../../src/domain/path.ts';
import { openDeltaSource } from '../../../src/sources/delta/open-delta-source.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { caught, collect } from '../contract/bench.ts';
import { sourceContract } from '../source-contract.ts';
import type { SourceWorld } from '../source-world.ts';
import { locatedSource } from './located-source.ts';
import { doubtfulFolders, folderNames, twinFolders } from './table-names.ts';

const never = new AbortController().signal;
const firstCommit = '00000000000000000000.json';

async function makeTable(folder: string): Promise<void> {
  await mkdir(join(folder, '_delta_log'), { recursive: true });
  await writeFile(join(folder, '_delta_log', firstCommit), '{}\n');
}

async function lake(): Promise<string> {
  const root = join(await scratchFolder(), 'lake');
  await makeTable(join(root, 'anchor'));
  return root;
}

sourceContract('Delta on a disk', async (): Promise<SourceWorld> => {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-reconciler-'));
  const root = join(folder, 'lake');
  await makeTable(join(root, 'anchor'));
  const locationOf = (path: Path) => `file://${root}/${path.map(encodeURIComponent).join('/')}`;
  return {
    open: () => locatedSource(openDeltaSource({ root }), locationOf),
    makers: [{ kind: 'table', found: 'table', create: (path) => makeTable(join(root, ...path)) }],
    room: async () => {
      const room: Path = [randomUUID()];
      await makeTable(join(root, ...room, 'neighbour'));
      return room;
    },
    drop: ({ path }) => rm(join(root, ...path), { recursive: true }),
    breakDown: async () => {
      await rename(root, `${root}-away`);
      return () => rename(`${root}-away`, root);
    },
    names: folderNames,
    twins: twinFolders,
    doubtful: doubtfulFolders,
    close: () => rm(folder, { recursive: true }),
  };
});

/** What a source says of one location below a fresh root, after `make` worked there. */
async function answerAt(name: string, make: (root: string) => Promise<unknown>) {
  const root = await lake();
  await make(root);
  const source = openDeltaSource({ root });
  onTestFinished(() => source.close());
  const target = { kind: 'table', path: ['s', 't'], location: `${root}/${name}` } as const;
  const { answers } = await source.probe([target], [], never);
  return answers[0];
}

test.each<[string, (root: string) => Promise<unknown>, string, string]>([
  ['a table', (root) => makeTable(join(root, 't')), 'present', 'log'],
  [
    'a table whose early log was cleaned up',
    async (root) => {
      await mkdir(join(root, 't/_delta_log'), { recursive: true });
      await writeFile(join(root, 't/_delta_log/00000000000000000010.json'), '{}');
    },
    'present',
    'log',
  ],
  ['a link to a table', (root) => symlink(join(root, 'anchor'), join(root, 't')), 'present', 'log'],
  ['nothing', async () => {}, 'absent', 'ENOENT'],
  ['a link that leads nowhere', (root) => symlink(join(root, 'gone'), join(root, 't')), 'unknown', 'link'],
  ['a link that leads to itself', (root) => symlink(join(root, 't'), join(root, 't')), 'unknown', 'ELOOP'],
  ['a file', (root) => writeFile(join(root, 't'), ''), 'unknown', 'ENOTDIR'],
  ['an empty folder', (root) => mkdir(join(root, 't')), 'unknown', 'folder-empty'],
  ['an empty log', (root) => mkdir(join(root, 't/_delta_log'), { recursive: true }), 'unknown', 'log-empty'],
  [
    'data without a log',
    async (root) => {
      await mkdir(join(root, 't'));
      await writeFile(join(root, 't/part-0.parquet'), '');
    },
    'unknown',
    'data-without-log',
  ],
])('at the location of a table: %s', async (_what, make, answer, code) => {
  expect(await answerAt('t', make)).toMatchObject({ answer, code });
});

test.each<[string, (root: string) => Promise<unknown>, string, string]>([
  ['whose schema’s folder holds others', (root) => makeTable(join(root, 's/other')), 'absent', 'ENOENT'],
  ['whose schema’s folder is gone as well', async () => {}, 'absent', 'ENOENT'],
  // an unmounted mount point looks exactly like this
  ['whose schema’s folder is empty', (root) => mkdir(join(root, 's')), 'unknown', 'parent-empty'],
  ['below a link that leads nowhere', (root) => symlink('/no/such/mount', join(root, 's')), 'unknown', 'link'],
  [
    'below a link to an empty folder',
    async (root) => {
      await mkdir(`${root}-mount`);
      await symlink(`${root}-mount`, join(root, 's'));
    },
    'unknown',
    'link',
  ],
])('a missing table %s', async (_what, make, answer, code) => {
  expect(await answerAt('s/t', make)).toMatchObject({ answer, code });
});

test.each([
  ['another spelling of the scheme', 'FILE://', 'present'],
  ['an address of this host', 'file://localhost', 'present'],
  ['a short address', 'file:', 'present'],
  ['an address of another host', 'file://elsewhere', 'unknown'],
  ['another store', 's3://lake', 'unknown'],
  ['no scheme that we know', 'hdfs://lake', 'unknown'],
])('B40 a location with %s', async (_what, before, answer) => {
  const root = await lake();
  const source = openDeltaSource({ root });
  onTestFinished(() => source.close());
  const at = (location: string) => ({ kind: 'table', path: ['s', 't'], location }) as const;
  const asked = await source.probe([at(`${before}${root}/anchor`), at(`${before}${root}/anchor///`)], [], never);
  expect(asked.answers.map((each) => each.answer)).toEqual([answer, answer]);
});

test('what is registered outside of the root, or nowhere, is unknown', async () => {
  const root = await lake();
  const source = openDeltaSource({ root });
  onTestFinished(() => source.close());
  const at = (location?: string) => ({ kind: 'table', path: ['s', 't'], ...(location ? { location } : {}) }) as const;
  const { answers } = await source.probe([at(), at(root), at(`${root}2/t`), at('/elsewhere/t')], [], never);
  expect(answers.map(({ code }) => code)).toEqual([
    'location-missing',
    'location-outside-root',
    'location-outside-root',
    'location-outside-root',
  ]);
});

test('B01 a root that is empty, missing or no folder makes the catalog unreachable, and no table absent', async () => {
  const root = await lake();
  const target = { kind: 'table', path: ['s', 't'], location: `${root}/anchor` } as const;
  const failure = async () => {
    const source = openDeltaSource({ root });
    onTestFinished(() => source.close());
    return caught(source.probe([target], [], never));
  };
  await rm(root, { recursive: true });
  expect(await failure()).toMatchObject({ type: 'SourceUnreachable', code: 'ENOENT' });
  await mkdir(root);
  expect(await failure()).toMatchObject({ type: 'SourceUnavailable', code: 'root-empty' });
  await rm(root, { recursive: true });
  await writeFile(root, '');
  expect(await failure()).toMatchObject({ type: 'SourceProtocolError' });
});

test('another folder at the place of the root is another source', async () => {
  const root = await lake();
  const source = openDeltaSource({ root });
  onTestFinished(() => source.close());
  const before = await source.check([], never);
  await rename(root, `${root}-old`);
  await makeTable(join(root, 'anchor'));
  expect((await source.check([], never)).fingerprint).not.toBe(before.fingerprint);
});

test('tables of the first two levels are listed with their places, and what lies inside a table is not', async () => {
  const root = await lake();
  await makeTable(join(root, 'sales/or ders'));
  await makeTable(join(root, 'sales/or ders/nested'));
  await makeTable(join(root, 'too/deep/by/far'));
  await writeFile(join(root, 'file'), '');
  const source = openDeltaSource({ root });
  onTestFinished(() => source.close());
  const listed = await collect(source.list(never));
  expect(listed).toHaveLength(2);
  expect(listed).toContainEqual({ path: ['anchor'], found: 'table', location: `file://${root}/anchor` });
  expect(listed).toContainEqual({
    path: ['sales', 'or ders'],
    found: 'table',
    location: `file://${root}/sales/or%20ders`,
  });
});

test.each<[Record<string, string>, RegExp]>([
  [{}, /root is missing/],
  [{ root: 'relative/folder' }, /root must be/],
  [{ root: '/' }, /root/],
  [{ root: '/lake', region: 'x' }, /no use for region/],
  [{ root: '/lake', colour: 'red' }, /no setting colour/],
  [{ root: 's3://b' }, /accessKeyId is missing/],
  [{ root: 's3://b', accessKeyId: 'k' }, /no secretAccessKey/],
  [{ root: 's3://b', accessKeyId: 'k', endpoint: 'ftp://x' }, /endpoint must be/],
  [{ root: 'gs://b', accessKeyId: 'k' }, /root must be/],
])('settings %j are refused', (settings, message) => {
  expect(() => openDeltaSource(settings)).toThrow(message);
});
