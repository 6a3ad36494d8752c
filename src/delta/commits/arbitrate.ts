import type { Commit, TrackedCommit } from '../table.ts';
import type { Arbitration, CommitLogChange, CommitRequest } from './commit-log.ts';

export interface ArbitrationRules {
  /** Commits that may wait for their publication in the table's own log. Clients backfill long before ten. */
  readonly maxUnbackfilled: number;
  /** Take any first version, for tables whose earlier versions were committed elsewhere. */
  readonly anyFirstVersion: boolean;
}

export const defaultArbitrationRules: ArbitrationRules = { maxUnbackfilled: 10, anyFirstVersion: false };

/**
 * Who owns a version: a pure function of the tracked rows (ascending, contiguous, at most one marker, which is the
 * lowest) and the request. Every store shares it.
 */
export function arbitrate(
  tracked: readonly TrackedCommit[],
  { commit, backfilledTo }: CommitRequest,
  rules: ArbitrationRules = defaultArbitrationRules,
): Arbitration {
  if (backfilledTo !== undefined && backfilledTo < 0n) {
    return invalid(`Backfilled version must not be negative, got ${backfilledTo}.`);
  }
  if (commit !== undefined) {
    return tracked.length === 0 ? first(commit, rules) : next(tracked, commit, backfilledTo, rules);
  }
  if (backfilledTo === undefined) return { kind: 'accepted', change: {} };
  const latest = tracked.at(-1);
  if (latest === undefined) return invalid('Backfill request requires a prior commit.');
  if (backfilledTo > latest.version) return beyond(backfilledTo, latest.version);
  return { kind: 'accepted', change: backfill(tracked, backfilledTo) };
}

/** The highest version of the table; 0 for one without commits, whose version 0 came with its creation. */
export function latestVersion(tracked: readonly TrackedCommit[]): bigint {
  return tracked.at(-1)?.version ?? 0n;
}

/** What a reader has to fetch besides the published log: newest first, contiguous up to the latest. */
export function unbackfilled(tracked: readonly TrackedCommit[]): readonly TrackedCommit[] {
  return tracked.filter(({ backfilled }) => !backfilled).toReversed();
}

function first(commit: Commit, { anyFirstVersion }: ArbitrationRules): Arbitration {
  if (commit.version !== 1n && !(anyFirstVersion && commit.version > 0n)) {
    return invalid(`Commit version must be the next version: expected 1, got ${commit.version}.`);
  }
  // a backfill that comes with it is of versions that were never tracked here
  return { kind: 'accepted', change: { insert: commit } };
}

function next(
  tracked: readonly TrackedCommit[],
  commit: Commit,
  backfilledTo: bigint | undefined,
  { maxUnbackfilled }: ArbitrationRules,
): Arbitration {
  const { version, fileName } = commit;
  const latest = latestVersion(tracked);
  if (version <= latest) return taken(tracked, version, fileName);
  if (version > latest + 1n) {
    return invalid(`Commit version must be the next version: expected ${latest + 1n}, got ${version}.`);
  }
  if (backfilledTo !== undefined && backfilledTo > latest) return beyond(backfilledTo, latest);
  const covered = backfilledTo ?? -1n;
  const waiting = tracked.filter((row) => !row.backfilled && row.version > covered).length + 1;
  if (waiting > maxUnbackfilled) {
    return {
      kind: 'exhausted',
      message: `Too many commits that are not backfilled: ${waiting} with version ${version}, at most ${maxUnbackfilled}. Backfill first.`,
    };
  }
  // the new row is the highest now, so that nothing has to stay as the marker; an old marker goes once it is covered
  const removeUpTo =
    backfilledTo !== undefined && tracked.some((row) => row.version <= backfilledTo) ? backfilledTo : undefined;
  return { kind: 'accepted', change: { insert: commit, ...(removeUpTo === undefined ? {} : { removeUpTo }) } };
}

/** The version has an owner: the same file again is a resent request, another one comes too late. */
function taken(tracked: readonly TrackedCommit[], version: bigint, fileName: string): Arbitration {
  const owner = tracked.find((row) => row.version === version);
  if (owner === undefined) return { kind: 'content-check', version, fileName };
  if (owner.fileName === fileName) return { kind: 'replay' };
  return ofAnother(version);
}

/** The version belongs to another file than the one that wants it. */
export function ofAnother(version: bigint): Arbitration {
  return { kind: 'conflict', message: `Commit version already accepted: ${version} belongs to another file.` };
}

/** Rows up to there go, but never the highest, which becomes the marker instead. */
function backfill(tracked: readonly TrackedCommit[], to: bigint): CommitLogChange {
  const latest = latestVersion(tracked);
  const last = to < latest ? to : latest - 1n;
  return {
    ...(tracked.some((row) => row.version <= last) ? { removeUpTo: last } : {}),
    ...(to === latest && tracked.at(-1)?.backfilled === false ? { markBackfilled: latest } : {}),
  };
}

function beyond(version: bigint, latest: bigint): Arbitration {
  return invalid(`Should not backfill version ${version}: the latest version is ${latest}.`);
}

function invalid(message: string): Arbitration {
  return { kind: 'invalid', message };
}
