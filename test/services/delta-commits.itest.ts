import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { arbitrate, latestVersion } from '../../src/delta/commits/arbitrate.ts';
import type { CommitRequest } from '../../src/delta/commits/commit-log.ts';
import type { Commit } from '../../src/delta/table.ts';
import { type LakeBench, openLakeBench } from '../registries/embedded/lake/lake-bench.ts';
import { PostgresServer } from '../support/postgres-server.ts';

let server: PostgresServer;
let bench: LakeBench;
beforeAll(async () => {
  // Another default than the embedded registry expects: it must not depend on it.
  server = await PostgresServer.start({ default_transaction_isolation: 'serializable' });
  await server.sql('create database lake');
  bench = await openLakeBench({ url: server.url('lake') });
});
afterAll(async () => {
  await bench?.close();
  await server?.close();
});

const writers = 32;

function commitOf(version: bigint, fileName: string): Commit {
  return { version, timestamp: version, fileName, fileSize: 1n, fileModificationTimestamp: version };
}

/** One request, as the handler serves it. */
function asked(table: string, request: CommitRequest) {
  return bench.backend.withTableUnitOfWork(bench.ref(table), bench.caller, async ({ log }) => {
    const answer = arbitrate(await log.tracked(), request);
    if (answer.kind === 'accepted') expect(await log.apply(answer.change)).toBe(true);
    return answer.kind;
  });
}

/** A writer that commits its files one by one, takes the next version after a conflict, and backfills when it must. */
async function write(table: string, writer: number, files: number, won: Map<bigint, string[]>): Promise<void> {
  for (let file = 0; file < files; ) {
    const { tracked } = await bench.backend.loadSnapshot(bench.ref(table));
    const latest = latestVersion(tracked);
    const commit = commitOf(latest + 1n, `${writer}-${file}.json`);
    const kind = await asked(table, { commit });
    if (kind === 'exhausted') await asked(table, { backfilledTo: latest });
    if (kind !== 'accepted') continue;
    won.set(commit.version, [...(won.get(commit.version) ?? []), commit.fileName]);
    // its answer was lost, so it asks again: at once, and beside everybody else
    expect(['replay', 'content-check']).toContain(await asked(table, { commit }));
    file += 1;
  }
}

describe(`${writers} writers of one table`, () => {
  test('every version has one winner, there is no gap, and no commit is lost', async () => {
    const { tableId } = await bench.managed('crowd');
    const won = new Map<bigint, string[]>();
    await Promise.all(Array.from({ length: writers }, (_, writer) => write('crowd', writer, 2, won)));
    const versions = [...won.keys()].sort((a, b) => Number(a - b));
    expect(versions).toEqual(Array.from({ length: writers * 2 }, (_, n) => BigInt(n + 1)));
    expect([...won.values()].every((files) => files.length === 1)).toBe(true);
    const { tracked } = await bench.backend.loadSnapshot(bench.ref('crowd'));
    expect(latestVersion(tracked)).toBe(BigInt(writers * 2));
    for (const { version, fileName } of tracked) expect(won.get(version)).toEqual([fileName]);
    // what is tracked no longer is remembered with the same file
    await bench.backend.withTableUnitOfWork(bench.ref('crowd'), bench.caller, async ({ log }) => {
      for (const version of versions.filter((one) => !tracked.some((row) => row.version === one))) {
        expect([await log.fileNameOf(version)]).toEqual(won.get(version));
      }
    });
    expect(tableId).toBeDefined();
  });

  test('one version at once: one of them has it', async () => {
    await bench.managed('start');
    const kinds = await Promise.all(
      Array.from({ length: writers }, (_, writer) => asked('start', { commit: commitOf(1n, `${writer}.json`) })),
    );
    expect(kinds.filter((kind) => kind === 'accepted')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'conflict')).toHaveLength(writers - 1);
  });

  test('any mixture of commits, replays and backfills leaves a contiguous log with at most one marker', async () => {
    let run = 0;
    const request = fc.record({
      version: fc.integer({ min: 1, max: 6 }),
      file: fc.constantFrom('a', 'b'),
      backfill: fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined }),
      data: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: writers, maxLength: writers }), async (requests) => {
        run += 1;
        const table = `mixed${run}`;
        await bench.managed(table);
        const owners = new Map<number, Set<string>>();
        await Promise.all(
          requests.map(async ({ version, file, backfill, data }) => {
            const kind = await asked(table, {
              ...(data ? { commit: commitOf(BigInt(version), file) } : {}),
              ...(backfill === undefined ? {} : { backfilledTo: BigInt(backfill) }),
            });
            if (!data || (kind !== 'accepted' && kind !== 'replay')) return;
            owners.set(version, (owners.get(version) ?? new Set()).add(file));
          }),
        );
        const { tracked } = await bench.backend.loadSnapshot(bench.ref(table));
        expect([...owners.values()].every((files) => files.size === 1)).toBe(true);
        expect(Number(latestVersion(tracked))).toBe(Math.max(0, ...owners.keys()));
        const first = tracked[0]?.version ?? 1n;
        expect(tracked.map(({ version }) => version)).toEqual(tracked.map((_, n) => first + BigInt(n)));
        expect(tracked.slice(1).some(({ backfilled }) => backfilled)).toBe(false);
      }),
      { numRuns: 25 },
    );
  });
});

describe('writers of other tables', () => {
  test('do not wait for one that takes its time, and a new table waits until it has ended', async () => {
    await bench.managed('slow');
    await bench.managed('quick');
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    let begun = (): void => undefined;
    const started = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const slow = bench.backend.withTableUnitOfWork(bench.ref('slow'), bench.caller, async ({ log }) => {
      begun();
      await ended;
      return log.apply({ insert: commitOf(1n, 'slow.json') });
    });
    await started;
    expect(await asked('quick', { commit: commitOf(1n, 'quick.json') })).toBe('accepted');
    const created = bench.external('late');
    end();
    expect(await slow).toBe(true);
    expect((await created).name).toBe('late');
  });

  test('changes of metadata beside each other lose nothing, and their events are in order', async () => {
    const tables = ['m1', 'm2', 'm3', 'm4'];
    for (const table of tables) await bench.external(table);
    const change = (table: string) =>
      bench.backend.withTableUnitOfWork(bench.ref(table), bench.caller, (unit) =>
        unit.updateTableRow({
          tableId: unit.table.tableId ?? '',
          columns: unit.table.columns,
          properties: unit.table.properties,
          metadataChanged: true,
          expectedMetadataVersion: unit.table.metadataVersion,
        }),
      );
    await Promise.all(tables.flatMap((table) => Array.from({ length: 8 }, () => change(table))));
    for (const table of tables) {
      expect((await bench.backend.resolveTable(bench.ref(table))).metadataVersion).toBe(9n);
      expect(await bench.desk.entity('lake', { by: 'path', kind: 'table', path: ['s', table] })).toMatchObject({
        version: '9',
      });
    }
  });

  test('a table that is dropped while many commit to it takes its whole log along', async () => {
    const { tableId } = await bench.managed('going');
    const commits = Array.from({ length: writers }, (_, n) => asked('going', { commit: commitOf(1n, `${n}.json`) }));
    const dropped = bench.backend.deleteTable(bench.ref('going'), {}, bench.caller);
    const outcomes = await Promise.allSettled(commits);
    await dropped;
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    for (const outcome of refused) expect(outcome).toMatchObject({ reason: { failure: 'NoSuchTable' } });
    const [left] = await server.sql(
      `select count(*)::int as n from registry.lake_commits where entity_id = '${tableId}'`,
      'lake',
    );
    expect(left).toEqual({ n: 0 });
  });
});
