import { randomUUID } from 'node:crypto';
import type { LimitFunction } from 'p-limit';
import { ReconcilerFailure } from '../../domain/failure.ts';
import type { ProbeAnswer, ProbeTarget } from '../../domain/verdict.ts';
import type { ProbeBatch } from '../source.ts';
import { foldersBelow, type Place } from './location.ts';
import type { Storage } from './storage.ts';

/**
 * Asks about each target by its location. Who answers is looked at before and after, since a mount or a bucket that goes
 * in between looks like the loss of every table.
 */
export async function probePlaces(
  { storage, root, limit }: { readonly storage: Storage; readonly root: Place; readonly limit: LimitFunction },
  targets: readonly ProbeTarget[],
  known: readonly ProbeTarget[],
  signal: AbortSignal,
): Promise<ProbeBatch> {
  const before = await storage.look(signal);
  const impossible = await storage.tableAt([`no-such-${randomUUID()}`], signal);
  requireSight(impossible, storage.address);
  const all = await Promise.all(
    [...known, ...targets].map((target) =>
      limit(() => {
        signal.throwIfAborted();
        return answerFor(storage, root, target, signal);
      }),
    ),
  );
  const after = await storage.look(signal);
  if (after.fingerprint !== before.fingerprint) {
    const message = `${storage.address} became another one while it was asked. Look whether it was mounted anew.`;
    throw new ReconcilerFailure('SourceUnavailable', 'root-changed', message);
  }
  return {
    ...before,
    answers: all.slice(known.length),
    controls: {
      builtin: { answer: 'present', code: 'root', found: 'other' }, // or looking had failed
      impossible,
      known: all.slice(0, known.length),
    },
    asked: { asked: 'the log folder at the registered location', strength: 'conclusive' },
  };
}

/** Of several places that a location may mean, one with a table is enough to be present; absent takes all of them. */
async function answerFor(
  storage: Storage,
  root: Place,
  target: ProbeTarget,
  signal: AbortSignal,
): Promise<ProbeAnswer> {
  if (target.kind !== 'table') return { answer: 'unknown', code: 'kind-without-storage' };
  const places = foldersBelow(root, target.location);
  if (typeof places === 'string') return { answer: 'unknown', code: places };
  let told: ProbeAnswer | undefined;
  for (const folders of places) {
    const answer = await storage.tableAt(folders, signal);
    if (answer.answer === 'present') return answer;
    if (told === undefined || answer.answer === 'unknown') told = answer;
  }
  return told ?? { answer: 'unknown', code: 'location-ambiguous' };
}

/** What cannot be there must be seen as missing, or nothing else can. */
function requireSight(impossible: ProbeAnswer, address: string): void {
  if (impossible.answer === 'absent') return;
  if (impossible.code === 'AccessDenied' || impossible.code === 'EACCES') {
    const message = `${address} does not let us see that something is missing. Grant the right to list and to read.`;
    throw new ReconcilerFailure('SourceAccessDenied', impossible.code, message);
  }
  const message = `${address} does not say of a random name that nothing is there (${impossible.code}). None of its answers is believed.`;
  throw new ReconcilerFailure('ProbeUntrusted', 'control-impossible', message);
}
