import { randomUUID } from 'node:crypto';
import {
  CreateBucketCommand,
  DeleteObjectsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import type { Path } from '../../../src/domain/path.ts';
import { openDeltaSource } from '../../../src/sources/delta/open-delta-source.ts';
import { TcpProxy } from '../../support/tcp-proxy.ts';
import type { SourceWorld } from '../source-world.ts';
import { locatedSource } from './located-source.ts';
import { doubtfulFolders, folderNames, twinFolders } from './table-names.ts';

export const firstCommit = '_delta_log/00000000000000000000.json';

/** The keys of a store, by another client than the adapter’s own. */
export class Keys {
  readonly #client: S3Client;
  readonly #bucket: string;

  constructor(endpoint: string, bucket: string) {
    this.#client = new S3Client({
      endpoint,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId: 'owner', secretAccessKey: 'owner' },
    });
    this.#bucket = bucket;
  }

  async makeBucket(): Promise<void> {
    await this.#client.send(new CreateBucketCommand({ Bucket: this.#bucket }));
  }

  async put(...keys: readonly string[]): Promise<void> {
    for (const Key of keys) await this.#client.send(new PutObjectCommand({ Bucket: this.#bucket, Key, Body: '{}' }));
  }

  /** Everything below a prefix. */
  async drop(prefix: string): Promise<void> {
    const { Contents = [] } = await this.#client.send(
      new ListObjectsV2Command({ Bucket: this.#bucket, Prefix: prefix }),
    );
    const Objects = Contents.map(({ Key }) => ({ Key }));
    if (Objects.length > 0)
      await this.#client.send(new DeleteObjectsCommand({ Bucket: this.#bucket, Delete: { Objects } }));
  }

  close(): void {
    this.#client.destroy();
  }
}

const patienceMs = 600; // loopback answers within some milliseconds

/** The contract suite's world over a store that speaks S3; a cable before it can be cut. */
export async function bucketWorld(store: { readonly endpoint: string; readonly port: number }): Promise<SourceWorld> {
  const keys = new Keys(store.endpoint, 'lake');
  await keys.makeBucket();
  await keys.put(`warehouse/anchor/${firstCommit}`);
  const cable = await TcpProxy.before(store.port);
  const secretAccessKey = 'secret-of-the-test';
  const at = (port: number, callMs?: number) =>
    openDeltaSource(
      { root: 's3://lake/warehouse', accessKeyId: 'reader', endpoint: `http://127.0.0.1:${port}` },
      { secretAccessKey, ...(callMs === undefined ? {} : { callMs }) },
    );
  const locationOf = (path: Path) => `s3a://lake/warehouse/${path.map(encodeURIComponent).join('/')}`;
  const located = (port: number, callMs?: number) => locatedSource(at(port, callMs), locationOf);
  return {
    open: () => located(cable.port),
    network: { openAt: (port) => located(port, patienceMs), patienceMs: patienceMs * 2, port: store.port },
    secret: secretAccessKey,
    makers: [
      { kind: 'table', found: 'table', create: (path) => keys.put(`warehouse/${path.join('/')}/${firstCommit}`) },
    ],
    room: async () => [randomUUID()],
    drop: ({ path }) => keys.drop(`warehouse/${path.join('/')}/`),
    breakDown: async () => {
      cable.cut();
      return async () => cable.restore();
    },
    names: folderNames,
    twins: twinFolders,
    doubtful: doubtfulFolders,
    close: async () => {
      keys.close();
      await cable.close();
    },
  };
}
