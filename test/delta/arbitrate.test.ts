import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitrate, defaultArbitrationRules, latestVersion, unbackfilled } from '../../src/delta/commits/arbitrate.ts';
import type { CommitLogChange, CommitRequest } from '../../src/delta/commits/commit-log.ts';
import type { Commit, TrackedCommit } from '../../src/delta/table.ts';

/** `1:a 2:b*` is version 1 of file a, and version 2 of file b as the marker. */
function log(text: string): TrackedCommit[] {
  return text.split(' ').flatMap((word) => {
    const [, version, fileName, marker] = /^(\d+):(\w+)(\*?)$/.exec(word) ?? [];
    if (version === undefined || fileName === undefined) return [];
    return [{ ...commit(BigInt(version), fileName), backfilled: marker === '*' }];
  });
}

function logText(tracked: readonly TrackedCommit[]): string {
  return tracked.map(({ version, fileName, backfilled }) => `${version}:${fileName}${backfilled ? '*' : ''}`).join(' ');
}

function commit(version: bigint, fileName: string): Commit {
  return { version, fileName, timestamp: 1n, fileSize: 1n, fileModificationTimestamp: 1n };
}

function applied(tracked: readonly TrackedCommit[], change: CommitLogChange): TrackedCommit[] {
  const { insert, removeUpTo, markBackfilled } = change;
  return [...tracked, ...(insert === undefined ? [] : [{ ...insert, backfilled: false }])]
    .filter(({ version }) => removeUpTo === undefined || version > removeUpTo)
    .map((row) => (row.version === markBackfilled ? { ...row, backfilled: true } : row));
}

function request(version: number | undefined, fileName: string, backfilledTo?: number): CommitRequest {
  return {
    ...(version === undefined ? {} : { commit: commit(BigInt(version), fileName) }),
    ...(backfilledTo === undefined ? {} : { backfilledTo: BigInt(backfilledTo) }),
  };
}

describe('arbitration', () => {
  test.each<[string, string, CommitRequest, string]>([
    ['the first commit is version 1', '', request(1, 'a'), '1:a'],
    ['no other version can be first', '', request(2, 'a'), 'invalid'],
    ['a backfill that comes with the first commit is ignored', '', request(1, 'a', 7), '1:a'],
    ['nothing can be backfilled before the first commit', '', request(undefined, '', 0), 'invalid'],
    ['the next version is taken', '1:a', request(2, 'b'), '1:a 2:b'],
    ['a gap is invalid, not a conflict', '1:a', request(3, 'b'), 'invalid'],
    ['the same file again is a replay', '1:a 2:b', request(1, 'a'), 'replay'],
    ['another file for an owned version is a conflict', '1:a 2:b', request(2, 'c'), 'conflict'],
    ['a version whose row is gone needs its bytes', '3:c', request(2, 'b'), 'content-check'],
    ['the marker still knows its file', '2:b*', request(2, 'b'), 'replay'],
    ['a replay ignores the backfill beside it', '1:a', request(1, 'a', 99), 'replay'],
    ['a backfill removes what it covers', '1:a 2:b 3:c', request(undefined, '', 2), '3:c'],
    ['a backfill of the latest leaves it as the marker', '1:a 2:b', request(undefined, '', 2), '2:b*'],
    ['the same backfill again changes nothing', '2:b*', request(undefined, '', 2), '2:b*'],
    ['a backfill below the first changes nothing', '3:c 4:d', request(undefined, '', 1), '3:c 4:d'],
    ['a backfill beyond the latest is invalid', '1:a', request(undefined, '', 2), 'invalid'],
    ['a negative backfill is invalid', '1:a', request(undefined, '', -1), 'invalid'],
    ['a commit may bring the backfill of all before it', '1:a 2:b', request(3, 'c', 2), '3:c'],
    ['a commit cannot backfill itself', '1:a', request(2, 'b', 2), 'invalid'],
    ['the marker waits below a new commit', '2:b*', request(3, 'c'), '2:b* 3:c'],
    ['and goes when it is covered', '2:b* 3:c', request(4, 'd', 2), '3:c 4:d'],
    [
      'the tenth may wait',
      '1:a 2:a 3:a 4:a 5:a 6:a 7:a 8:a 9:a',
      request(10, 'b'),
      '1:a 2:a 3:a 4:a 5:a 6:a 7:a 8:a 9:a 10:b',
    ],
    ['the eleventh may not', '1:a 2:a 3:a 4:a 5:a 6:a 7:a 8:a 9:a 10:a', request(11, 'b'), 'exhausted'],
    [
      'the marker does not count',
      '1:a* 2:a 3:a 4:a 5:a 6:a 7:a 8:a 9:a 10:a',
      request(11, 'b'),
      '1:a* 2:a 3:a 4:a 5:a 6:a 7:a 8:a 9:a 10:a 11:b',
    ],
    [
      'a backfill in the same request counts first',
      '1:a 2:a 3:a 4:a 5:a 6:a 7:a 8:a 9:a 10:a',
      request(11, 'b', 1),
      '2:a 3:a 4:a 5:a 6:a 7:a 8:a 9:a 10:a 11:b',
    ],
  ])('%s', (_name, before, asked, after) => {
    const outcome = arbitrate(log(before), asked);
    expect(outcome.kind === 'accepted' ? logText(applied(log(before), outcome.change)) : outcome.kind).toBe(after);
  });

  test('a table that was moved here may begin with any version', () => {
    const rules = { ...defaultArbitrationRules, anyFirstVersion: true };
    expect(arbitrate([], request(41, 'a'), rules)).toMatchObject({ kind: 'accepted' });
    expect(arbitrate([], request(0, 'a'), rules)).toMatchObject({ kind: 'invalid' });
  });

  test('readers get the newest first, and the latest without the marker', () => {
    const tracked = log('2:b* 3:c 4:d');
    expect(unbackfilled(tracked).map(({ version }) => version)).toEqual([4n, 3n]);
    expect(latestVersion(tracked)).toBe(4n);
    expect(latestVersion([])).toBe(0n);
  });
});

describe('any sequence of requests', () => {
  const version = fc.option(fc.integer({ min: 1, max: 18 }), { nil: undefined, freq: 4 });
  const asked = fc.record({
    version,
    file: fc.constantFrom('a', 'b'),
    backfill: fc.option(fc.integer({ min: 0, max: 18 }), { nil: undefined }),
    // mostly the version that is due, so that logs grow
    due: fc.boolean(),
  });

  test('has one owner a version, no gap, no lost commit, and harmless replays', () => {
    fc.assert(
      fc.property(fc.array(asked, { maxLength: 60 }), (sequence) => {
        let tracked: TrackedCommit[] = [];
        const owners = new Map<bigint, string>();
        for (const { version: any, file, backfill, due } of sequence) {
          const before = latestVersion(tracked);
          const wanted = request(due ? Number(before) + 1 : any, file, backfill);
          const outcome = arbitrate(tracked, wanted);
          if (wanted.commit !== undefined) judge(outcome.kind, wanted.commit, owners, before);
          if (outcome.kind !== 'accepted') continue;
          tracked = applied(tracked, outcome.change);
          if (wanted.commit !== undefined) owners.set(wanted.commit.version, file);
          expectSound(tracked, owners);
          if (wanted.commit !== undefined) expect(arbitrate(tracked, wanted)).toEqual({ kind: 'replay' });
        }
        // without a hole, from 1 to the latest
        expect([...owners.keys()]).toEqual(Array.from({ length: owners.size }, (_, index) => BigInt(index + 1)));
      }),
    );
  });

  function judge(kind: string, wanted: Commit, owners: ReadonlyMap<bigint, string>, latest: bigint): void {
    const owner = owners.get(wanted.version);
    if (owner !== undefined)
      expect(['content-check', owner === wanted.fileName ? 'replay' : 'conflict']).toContain(kind);
    else if (wanted.version !== latest + 1n) expect(kind).toBe('invalid');
    else expect(['accepted', 'exhausted', 'invalid']).toContain(kind);
  }

  function expectSound(tracked: readonly TrackedCommit[], owners: ReadonlyMap<bigint, string>): void {
    const versions = tracked.map((row) => row.version);
    const latest = BigInt(owners.size);
    expect(versions).toEqual(versions.map((_, index) => latest - BigInt(versions.length - 1 - index)));
    expect(latestVersion(tracked)).toBe(latest);
    for (const row of tracked) expect(row.fileName).toBe(owners.get(row.version));
    expect(tracked.slice(1).some(({ backfilled }) => backfilled)).toBe(false);
    expect(unbackfilled(tracked).length).toBeLessThanOrEqual(defaultArbitrationRules.maxUnbackfilled);
  }
});
