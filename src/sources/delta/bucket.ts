import { GetObjectCommand, ListObjectsV2Command, type ListObjectsV2Output, S3Client } from '@aws-sdk/client-s3';
import { ReconcilerFailure } from '../../domain/failure.ts';
import { cutOff } from '../cut-off.ts';
import { classifyS3Error, isS3Answer } from './classify-s3-error.ts';
import type { BucketSettings } from './settings.ts';

export interface BucketKeys {
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Sockets: more than the questions that are asked at a time, or one would wait for a socket and not for the store. */
const maxSockets = 64;

export interface Listing {
  readonly keys: readonly string[];
  /** Folders, where a delimiter was asked for; each ends in a slash. */
  readonly folders: readonly string[];
  readonly next?: string;
}

/** One bucket, asked with two operations; every answer is checked for being the store's own, and about what was asked. */
export class Bucket {
  readonly address: string;
  readonly #name: string;
  readonly #client: S3Client;
  readonly #callMs: number;

  constructor(settings: BucketSettings, keys: BucketKeys, callMs: number) {
    const { root, endpoint, region, pathStyle, accessKeyId } = settings;
    this.#name = root.bucket;
    this.address = `${endpoint ?? region}, bucket ${root.bucket}, as ${accessKeyId}`;
    this.#callMs = callMs;
    this.#client = new S3Client({
      ...(endpoint === undefined ? {} : { endpoint }),
      region,
      forcePathStyle: pathStyle,
      credentials: { accessKeyId, ...keys },
      maxAttempts: 1, // Temporal alone asks again
      requestHandler: {
        connectionTimeout: Math.min(callMs, 5_000),
        httpAgent: { maxSockets },
        httpsAgent: { maxSockets },
      },
    });
  }

  /** The first keys below a prefix. A listing with 200 and anything else in it than was asked for is none. */
  async list(
    prefix: string,
    ask: { readonly most: number; readonly byFolder?: boolean; readonly after?: string },
    signal: AbortSignal,
  ): Promise<Listing> {
    const command = new ListObjectsV2Command({
      Bucket: this.#name,
      Prefix: prefix,
      MaxKeys: ask.most,
      ...(ask.byFolder === true ? { Delimiter: '/' } : {}),
      ...(ask.after === undefined ? {} : { ContinuationToken: ask.after }),
    });
    const answer = await this.#send((abortSignal) => this.#client.send(command, { abortSignal }), signal);
    const { KeyCount, Contents = [], CommonPrefixes = [], IsTruncated, NextContinuationToken: next } = answer;
    const isAnswer =
      answer.$metadata.httpStatusCode === 200 &&
      (answer.$metadata.requestId ?? '') !== '' &&
      answer.Name === this.#name &&
      samePrefix(answer, prefix) &&
      KeyCount === Contents.length + CommonPrefixes.length;
    if (!isAnswer) {
      const message = `S3 at ${this.address} answered a listing with something else. Look for a proxy in between, and check the endpoint.`;
      throw new ReconcilerFailure('SourceUnreachable', 'not-a-listing', message);
    }
    return {
      keys: Contents.flatMap(({ Key }) => Key ?? []),
      folders: CommonPrefixes.flatMap(({ Prefix }) => Prefix ?? []),
      ...(IsTruncated === true && next !== undefined ? { next } : {}),
    };
  }

  /** What the store says of one key; only its own code makes `missing`. */
  async get(key: string, signal: AbortSignal): Promise<'there' | 'missing' | 'denied'> {
    const command = new GetObjectCommand({ Bucket: this.#name, Key: key });
    try {
      return await this.#send(async (abortSignal) => {
        const { Body } = await this.#client.send(command, { abortSignal });
        await Body?.transformToByteArray();
        return 'there' as const;
      }, signal);
    } catch (error) {
      const cause = error instanceof ReconcilerFailure ? error.cause : undefined;
      if (isS3Answer(cause, 'NoSuchKey')) return 'missing';
      if (isS3Answer(cause, 'AccessDenied')) return 'denied';
      throw error;
    }
  }

  /** Ends every connection. */
  close(): void {
    this.#client.destroy();
  }

  #send<T>(send: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const request = new AbortController();
    const answer = send(request.signal).catch((error: unknown) => {
      throw classifyS3Error(error, this.address);
    });
    return cutOff(answer, {
      signal,
      withinMs: this.#callMs,
      tooLate: () => {
        const message = `S3 at ${this.address} did not answer within ${this.#callMs} ms. Check the endpoint, and that nothing swallows the connection.`;
        return new ReconcilerFailure('SourceUnreachable', 'timeout', message);
      },
      end: () => request.abort(),
    });
  }
}

/** Readers of XML drop blanks at the outside. */
function samePrefix({ Prefix = '' }: ListObjectsV2Output, asked: string): boolean {
  return Prefix === asked || Prefix === asked.trim();
}
