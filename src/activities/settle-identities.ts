import type { CatalogName } from '../contract/names.ts';
import { settleMoved, settleParentAbsent } from '../domain/identity.ts';
import { parentPath, pathText, type Path } from '../domain/path.ts';
import type { Verdict } from '../domain/verdict.ts';
import type { UnsettledRow } from '../ledger/ledger.ts';
import type { Source } from '../sources/source.ts';
import { cancellation, stopIfCancelled } from './context.ts';
import type { ActivityDeps } from './deps.ts';

export interface SettleInput extends CatalogName {
  readonly roundId: string;
}

export interface SettleAnswer {
  readonly looked: number;
}

/** Identities asked for at once. */
const pageRows = 1_000;

/**
 * Settles what no single answer could: whether an absent object lives on under another name, and whether what was
 * inside a missing container is gone with it. Containers come first, since their contents are judged by them.
 */
export async function settleIdentities(deps: ActivityDeps, input: SettleInput): Promise<SettleAnswer> {
  const key = pathText([input.metalake, input.catalog]);
  const { source } = await deps.sourceOf(input, cancellation());
  const { rounds } = deps.ledger;
  let looked = 0;
  if (source.traits.stableIdentity) {
    looked += await eachPage(
      (after) => rounds.absentWithIdentity(input.roundId, key, after, pageRows),
      (rows) => settleRows(deps, input, source, rows, (row) => absentOrUndefined(row.verdict)),
    );
  }
  looked += await eachPage(
    (after) => rounds.waitingForParent(input.roundId, key, after, pageRows),
    async (rows) => {
      for (const level of byDepth(rows)) {
        const parents = await rounds.verdictsAt(input.roundId, parentsOf(level));
        await settleRows(deps, input, source, level, (row) => {
          const parent = parentPath(row.path);
          const verdict = settleParentAbsent(
            parent === undefined ? undefined : parents.get(pathText(parent)),
            source.traits.parentImpliesChild,
            row.remembered?.uid,
          );
          return verdict.kind === 'absent' ? verdict : undefined;
        });
      }
    },
  );
  return { looked };
}

function absentOrUndefined(verdict: Verdict): Extract<Verdict, { kind: 'absent' }> | undefined {
  return verdict.kind === 'absent' ? verdict : undefined;
}

function parentsOf(rows: readonly UnsettledRow[]): readonly Path[] {
  const parents = new Map(
    rows.flatMap(({ path }) => {
      const parent = parentPath(path);
      return parent === undefined ? [] : [[pathText(parent), parent] as const];
    }),
  );
  return [...parents.values()];
}

/** Rows of equal depth together, the shallow ones first: a container is settled before what is inside it. */
function byDepth(rows: readonly UnsettledRow[]): readonly (readonly UnsettledRow[])[] {
  const levels = new Map<number, UnsettledRow[]>();
  for (const row of rows) levels.set(row.path.length, [...(levels.get(row.path.length) ?? []), row]);
  return [...levels].sort(([a], [b]) => a - b).map(([, level]) => level);
}

/**
 * @param absence what the row's verdict would be if its identity is nowhere; `undefined` where it stays unknown then
 */
async function settleRows(
  deps: ActivityDeps,
  input: SettleInput,
  source: Source,
  rows: readonly UnsettledRow[],
  absence: (row: UnsettledRow) => Extract<Verdict, { kind: 'absent' }> | undefined,
): Promise<void> {
  const signal = cancellation();
  const uids = rows.flatMap(({ remembered }) => remembered?.uid ?? []);
  const located = source.traits.stableIdentity && uids.length > 0 ? await source.identify(uids, signal) : [];
  const registered = await deps.ledger.rounds.registeredAt(
    input.roundId,
    located.map(({ path }) => path),
  );
  const settled = rows.flatMap((row) => {
    const assumed = absence(row);
    const uid = row.remembered?.uid;
    const moved = settleMoved(
      row,
      { kind: 'absent', code: row.verdict.code, ...(uid === undefined ? {} : { uid }) },
      located,
      (place) => registered.has(pathText(place.path)),
    );
    const verdict = moved.kind === 'absent' ? assumed : moved;
    return verdict === undefined || verdict === row.verdict
      ? []
      : [{ row: row.row, verdict, evidence: row.evidence, probedAt: row.probedAt }];
  });
  if (settled.length > 0) await deps.ledger.rounds.recordVerdicts(input.roundId, settled);
}

async function eachPage(
  read: (after: number) => Promise<readonly UnsettledRow[]>,
  settle: (rows: readonly UnsettledRow[]) => Promise<void>,
): Promise<number> {
  let looked = 0;
  for (let after = -1; ; ) {
    const rows = await read(after);
    const last = rows.at(-1);
    if (last === undefined) return looked;
    await settle(rows);
    looked += rows.length;
    after = last.row;
    stopIfCancelled();
  }
}
