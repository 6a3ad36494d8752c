import pLimit, { type LimitFunction } from 'p-limit';
import { ReconcilerFailure } from '../../domain/failure.ts';
import type { Located, ProbeTarget } from '../../domain/verdict.ts';
import { cutOff } from '../cut-off.ts';
import type { ListedObject, ProbeBatch, Source, SourceCheck, SourceTraits } from '../source.ts';
import { checkByProbe, requireBatch } from '../whole-probe.ts';
import { BucketStorage } from './bucket-storage.ts';
import { DiskStorage } from './disk-storage.ts';
import { listTables } from './list.ts';
import type { Place } from './location.ts';
import { probePlaces } from './probe.ts';
import { type DeltaSettings, readSettings } from './settings.ts';
import type { Storage } from './storage.ts';

export interface DeltaOptions {
  /** What belongs to the access key of a bucket. */
  readonly secretAccessKey?: string;
  readonly sessionToken?: string;
  /** How long one call of the store may take. Default 20 s. */
  readonly callMs?: number;
}

const traits: SourceTraits = {
  source: 'delta',
  // Asked one by one behind this door; so many share the looks at the root, and a batch stays within seconds.
  batchSize: 100,
  // A missing folder is not a missing prefix, and nothing is known by its container.
  parentImpliesChild: false,
  // The id of a table stands in a commit that may be cleaned up, and could be searched for in every log only.
  stableIdentity: false,
};

/** Places that are looked at in one moment; beyond some fifty, connections wait for each other. */
const atOnce = 16;

/**
 * Delta tables under one root, known by their location. Opens nothing until it is asked something.
 * @param given what the registry's catalog states: `root`, and for a bucket `accessKeyId`, `region`, `endpoint` and
 * `pathStyle`; refused if it does not fit
 */
export function openDeltaSource(given: Readonly<Record<string, string>>, options: DeltaOptions = {}): Source {
  const settings = readSettings(given);
  return new DeltaSource(settings.root, storageOf(settings, options));
}

function storageOf(settings: DeltaSettings, options: DeltaOptions): Storage {
  const { secretAccessKey, sessionToken, callMs = 20_000 } = options;
  if (settings.store === 'disk') return new DiskStorage(settings.root, callMs);
  if (secretAccessKey === undefined || secretAccessKey === '') {
    const message = `Bucket ${settings.root.bucket} has an accessKeyId and no secretAccessKey is configured for it.`;
    throw new ReconcilerFailure('InvalidRequest', 'delta-settings', message);
  }
  return new BucketStorage(
    settings,
    { secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) },
    callMs,
  );
}

class DeltaSource implements Source {
  readonly traits = traits;
  readonly #root: Place;
  readonly #storage: Storage;
  readonly #limit: LimitFunction = pLimit(atOnce);
  readonly #closing = new AbortController();

  constructor(root: Place, storage: Storage) {
    this.#root = root;
    this.#storage = storage;
  }

  check(known: readonly ProbeTarget[], signal: AbortSignal): Promise<SourceCheck> {
    return checkByProbe(this, known, signal);
  }

  async probe(
    targets: readonly ProbeTarget[],
    known: readonly ProbeTarget[],
    signal: AbortSignal,
  ): Promise<ProbeBatch> {
    requireBatch('Delta tables', traits.batchSize, targets);
    signal.throwIfAborted();
    this.#closing.signal.throwIfAborted();
    // one question that fails ends the others: their answers would not be used
    const rest = new AbortController();
    const until = AbortSignal.any([signal, this.#closing.signal, rest.signal]);
    const place = { storage: this.#storage, root: this.#root, limit: this.#limit };
    const batch = probePlaces(place, targets, known, until);
    return cutOff(batch, { signal, end: () => {} }).finally(() => rest.abort());
  }

  /** Nothing is known by an identity here. */
  async identify(): Promise<readonly Located[]> {
    return [];
  }

  list(signal: AbortSignal): AsyncIterable<ListedObject> {
    return listTables(this.#storage, this.#root, AbortSignal.any([signal, this.#closing.signal]));
  }

  async close(): Promise<void> {
    this.#closing.abort(new ReconcilerFailure('SourceUnavailable', 'source-closed', 'This source was closed.'));
    this.#storage.close();
  }
}
