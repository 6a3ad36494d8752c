import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openDeltaSource } from '../../src/sources/delta/open-delta-source.ts';
import { callsTo } from '../kills/api-calls.ts';
import { startUp } from '../kills/cli-process.ts';
import { bucketWorld, firstCommit, Keys } from '../sources/delta/bucket-world.ts';
import { caught } from '../sources/contract/bench.ts';
import { sourceContract } from '../sources/source-contract.ts';
import { answeringPeer } from '../support/answering-peer.ts';
import { type Moto, startMoto } from '../support/moto.ts';
import { withTemporalCli } from '../support/own-dev-server.ts';
import { scratchFolder } from '../support/scratch.ts';
import { until } from '../support/until.ts';

withTemporalCli();

const never = new AbortController().signal;
const patienceMs = 120_000;

let moto: Moto;
beforeAll(async () => {
  moto = await startMoto();
});
afterAll(() => moto?.close());

sourceContract('Delta in a bucket', () => bucketWorld(moto));

let buckets = 0;

async function bucketOf(...made: readonly string[]): Promise<{ readonly name: string; readonly keys: Keys }> {
  buckets += 1;
  const name = `bucket-${buckets}`;
  const keys = new Keys(moto.endpoint, name);
  onTestFinished(() => keys.close());
  await keys.makeBucket();
  await keys.put(...made);
  return { name, keys };
}

function sourceOf(root: string, given: Record<string, string> = {}) {
  const settings = { root, accessKeyId: 'reader', endpoint: moto.endpoint, ...given };
  const source = openDeltaSource(settings, { secretAccessKey: 'hidden', callMs: 5_000 });
  onTestFinished(() => source.close());
  return source;
}

const table = (location: string) => ({ kind: 'table', path: ['s', 't'], location }) as const;

test.each<[string, readonly string[], string, string]>([
  ['a table', [`t/${firstCommit}`], 'present', 'log'],
  ['a table whose early log was cleaned up', ['t/_delta_log/00000000000000000010.json'], 'present', 'log'],
  ['nothing', [], 'absent', 'NoSuchKey'],
  ['another table of a longer name', [`t2/${firstCommit}`], 'absent', 'NoSuchKey'],
  ['a mark for an empty log', ['t/_delta_log/'], 'unknown', 'log-empty'],
  ['data without a log', ['t/part-0.parquet'], 'unknown', 'data-without-log'],
])('at the location of a table in a bucket: %s', async (_what, made, answer, code) => {
  const { name } = await bucketOf('anchor', ...made);
  const { answers } = await sourceOf(`s3://${name}`).probe([table(`S3A://${name}/t/`)], [], never);
  expect(answers).toMatchObject([{ answer, code }]);
});

test('B01 a bucket that is empty, emptied below the root, or missing makes the catalog unreachable', async () => {
  const { name } = await bucketOf();
  const asked = (bucket: string, prefix = '') =>
    caught(sourceOf(`s3://${bucket}${prefix}`).probe([table(`s3://${bucket}${prefix}/t`)], [], never));
  expect(await asked(name)).toMatchObject({ type: 'SourceUnavailable', code: 'root-empty' });
  const { name: other } = await bucketOf('elsewhere/key', 'lake/');
  expect(await asked(other, '/lake')).toMatchObject({ type: 'SourceUnavailable', code: 'root-empty' });
  expect(await asked('no-such-bucket')).toMatchObject({ type: 'SourceProtocolError', code: 'NoSuchBucket' });
});

const xml = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code><Message>m</Message></Error>`;
const listing = (of: string) =>
  `<?xml version="1.0"?><ListBucketResult><Name>${of}</Name><KeyCount>0</KeyCount></ListBucketResult>`;

test.each<[string, number, string, boolean, string]>([
  ['throttles', 503, xml('SlowDown'), true, 'SourceBusy'],
  ['has a fault', 500, xml('InternalError'), true, 'SourceUnavailable'],
  ['denies', 403, xml('AccessDenied'), true, 'SourceAccessDenied'],
  ['denies with the status of something missing', 404, xml('AccessDenied'), true, 'SourceAccessDenied'],
  ['knows no such key', 403, xml('InvalidAccessKeyId'), true, 'SourceAccessDenied'],
  ['is in another region', 301, xml('PermanentRedirect'), true, 'SourceProtocolError'],
  ['is a proxy that knows nothing of it', 404, '<html>not found</html>', false, 'SourceUnreachable'],
  ['is a proxy that says nothing', 404, '', false, 'SourceUnreachable'],
  ['is a proxy that denies', 403, '<html>forbidden</html>', false, 'SourceUnreachable'],
  ['is a page', 200, '<html>welcome</html>', true, 'SourceUnreachable'],
  ['lists another bucket', 200, listing('other'), true, 'SourceUnreachable'],
  ['says nothing', 200, '', true, 'SourceUnreachable'],
])('B11 a store that %s makes the catalog unreachable', async (_what, status, body, hasId, type) => {
  const peer = await answeringPeer(status, body, hasId ? { 'x-amz-request-id': 'r-1' } : {});
  onTestFinished(peer.close);
  const source = sourceOf('s3://lake', { endpoint: peer.address });
  const failure = await caught(source.probe([table('s3://lake/t')], [], never));
  expect(failure.type, failure.message).toBe(type);
  expect(failure.message).not.toContain('hidden');
});

/** A lake of two folders, on a disk and in a bucket, behind the whole product. */
test('the folder of an external table is dropped: finding, approval, removal; and nothing goes with a bucket', {
  timeout: 420_000,
}, async () => {
  const tables = ['sales/orders', 'sales/items', 'hr/people', 'hr/teams'];
  const { name, keys } = await bucketOf(...tables.map((path) => `lake/${path}/${firstCommit}`));
  const folder = await scratchFolder();
  const root = join(folder, 'lake');
  for (const path of tables) {
    await mkdir(join(root, path, '_delta_log'), { recursive: true });
    await writeFile(join(root, path, firstCommit), '{}');
  }
  const config = join(folder, 'reconciler.yaml');
  await writeFile(
    config,
    `
reconcile: {minimumAgeSecs: 0}
metalakes:
  lake:
    catalogs:
      disk: {provider: delta, connection: {root: ${root}}}
      bucket:
        provider: delta
        connection: {root: "s3://${name}/lake", accessKeyId: reader, endpoint: "${moto.endpoint}"}
        secretAccessKey: {env: LAKE_SECRET}
`,
  );
  const up = startUp(join(folder, 'data'), ['--config', config], { LAKE_SECRET: 'hidden' });
  const address = await up.says(/API +(http:\S+)/, patienceMs);
  const catalogs = {
    disk: {
      calls: callsTo(() => address, 'lake', 'disk'),
      drop: () => rm(join(root, 'sales/orders'), { recursive: true }),
    },
    bucket: { calls: callsTo(() => address, 'lake', 'bucket'), drop: () => keys.drop('lake/sales/orders/') },
  };
  for (const { calls, drop } of Object.values(catalogs)) {
    expect(await calls.import()).toMatchObject({ added: 6, existing: 0 });
    expect(await calls.round(patienceMs)).toMatchObject({ state: 'published' });
    await drop();
    for (let round = 0; round < 2; round += 1) {
      expect(await calls.round(patienceMs)).toMatchObject({ state: 'published' });
    }
    const found = await calls.stale();
    expect(found).toMatchObject([{ path: 'sales/orders', verdict: 'absent' }]);
    expect((await calls.approve(found, 'gone')).answers).toMatchObject([{ answer: 'accepted' }]);
    await until('it is removed', patienceMs, async () =>
      (await calls.removals()).some(({ path, outcome }) => path === 'sales/orders' && outcome === 'removed'),
    );
  }
  await keys.drop('lake/');
  expect(await catalogs.bucket.calls.round(patienceMs)).toMatchObject({ state: 'unreachable' });
  expect(await catalogs.bucket.calls.stale()).toEqual([]);
  expect(up.output()).not.toContain('hidden');
  expect(await up.stop('SIGINT')).toMatchObject({ code: 0 });
});

/** Last, since from here on the server asks whether a key may do what it does. */
test('B08 a key without rights makes the catalog unreachable', async () => {
  const { name } = await bucketOf(`t/${firstCommit}`);
  await moto.checkRights();
  const failure = await caught(sourceOf(`s3://${name}`).probe([table(`s3://${name}/t`)], [], never));
  expect(failure).toMatchObject({ type: 'SourceAccessDenied' });
});
