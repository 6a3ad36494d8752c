import { ReconcilerFailure } from '../../domain/failure.ts';
import type { ProbeAnswer } from '../../domain/verdict.ts';
import type { SourceIdentity } from '../source.ts';
import { Bucket, type BucketKeys } from './bucket.ts';
import type { BucketSettings } from './settings.ts';
import { logFolder, type Storage } from './storage.ts';

/** Keys a page, the most that S3 gives. */
const pageKeys = 1_000;

/** A bucket of S3, or a prefix of one. */
export class BucketStorage implements Storage {
  readonly address: string;
  readonly #settings: BucketSettings;
  readonly #bucket: Bucket;

  constructor(settings: BucketSettings, keys: BucketKeys, callMs: number) {
    this.#settings = settings;
    this.#bucket = new Bucket(settings, keys, callMs);
    this.address = this.#bucket.address;
  }

  /** A store whose disk is gone may answer about the bucket itself, so it has to show a key, and find it again. */
  async look(signal: AbortSignal): Promise<SourceIdentity> {
    const { root, endpoint, region, accessKeyId } = this.#settings;
    const prefix = this.#prefix([]);
    const { keys } = await this.#bucket.list(prefix, { most: 2 }, signal);
    const known = keys.find((key) => key !== prefix);
    if (known === undefined) {
      const what = `S3 at ${this.address} has nothing under ${prefix === '' ? 'its top' : prefix}`;
      const message = `${what}. Look who emptied it; an empty root says nothing about tables.`;
      throw new ReconcilerFailure('SourceUnavailable', 'root-empty', message);
    }
    const again = await this.#bucket.list(known, { most: 1 }, signal);
    if (again.keys[0] !== known) {
      const message = `S3 at ${this.address} lists ${known} and does not find it. None of its answers is believed.`;
      throw new ReconcilerFailure('ProbeUntrusted', 'control-builtin', message);
    }
    return { fingerprint: `s3 ${endpoint ?? `aws ${region}`} ${root.bucket}`, principal: accessKeyId };
  }

  /** Three answers must agree that nothing is there: no log, no checkpoint, and no data either. */
  async tableAt(folders: readonly string[], signal: AbortSignal): Promise<ProbeAnswer> {
    try {
      const log = this.#prefix([...folders, logFolder]);
      const { keys } = await this.#bucket.list(log, { most: 2 }, signal);
      if (keys.some((key) => key !== log)) return { answer: 'present', code: 'log', found: 'table' };
      if (keys.length > 0) return { answer: 'unknown', code: 'log-empty' };
      const checkpoint = await this.#bucket.get(`${log}_last_checkpoint`, signal);
      if (checkpoint === 'denied') return { answer: 'unknown', code: 'AccessDenied' };
      if (checkpoint === 'there') return { answer: 'unknown', code: 'contradiction' };
      const data = await this.#bucket.list(this.#prefix(folders), { most: 1 }, signal);
      if (data.keys.length > 0) return { answer: 'unknown', code: 'data-without-log' };
      return { answer: 'absent', code: 'NoSuchKey' };
    } catch (error) {
      // of one prefix only: the root itself could be listed
      if (error instanceof ReconcilerFailure && error.code === 'AccessDenied') {
        return { answer: 'unknown', code: 'AccessDenied' };
      }
      throw error;
    }
  }

  async hasLog(folders: readonly string[], signal: AbortSignal): Promise<boolean> {
    const log = this.#prefix([...folders, logFolder]);
    const { keys } = await this.#bucket.list(log, { most: 2 }, signal);
    return keys.some((key) => key !== log);
  }

  async *foldersIn(folders: readonly string[], signal: AbortSignal): AsyncGenerator<string> {
    const prefix = this.#prefix(folders);
    for (let after: string | undefined; ; ) {
      const page = await this.#bucket.list(
        prefix,
        { most: pageKeys, byFolder: true, ...(after === undefined ? {} : { after }) },
        signal,
      );
      for (const folder of page.folders) yield folder.slice(prefix.length, -1);
      if (page.next === undefined) return;
      after = page.next;
    }
  }

  close(): void {
    this.#bucket.close();
  }

  #prefix(folders: readonly string[]): string {
    return [...this.#settings.root.folders, ...folders].map((name) => `${name}/`).join('');
  }
}
