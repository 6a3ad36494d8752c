import type { VerdictName } from '../support/builders.ts';

/** A round as a bystander would note it down; its place in the list is its number. */
export interface NotedRound {
  readonly at: number;
  /** Of an incomplete round nothing else counts. */
  readonly complete: boolean;
  readonly verdict: VerdictName;
  readonly epoch: string;
  readonly intervalMs: number;
  readonly knownControls: boolean;
  readonly attended: boolean;
  /** The policy of that round. */
  readonly auto: boolean;
  readonly misses: number;
  readonly graceMs: number;
  readonly minimumAgeMs: number;
}

export interface Told {
  readonly open: boolean;
  readonly misses: number;
  readonly graceMs: number;
  readonly ripe: boolean;
  readonly due: boolean;
}

type Numbered = NotedRound & { readonly number: number };

/**
 * What "How a finding moves" in the design says after these rounds, told from all of them anew each time, and slowly: it
 * keeps no standing that could be carried over wrongly. The last round is a complete one.
 */
export function tellFrom(rounds: readonly NotedRound[], createdAt: number): Told {
  const numbered = rounds.map((round, number) => ({ ...round, number }));
  const last = numbered.at(-1);
  if (last?.complete !== true) throw new TypeError('only complete rounds move findings');

  // A present closes the finding; what was before belongs to another one.
  const life = since(numbered, ({ verdict }) => verdict === 'present');
  const open = life.some(({ complete, verdict }) => complete && verdict !== 'unknown' && verdict !== 'notJudged');
  const { misses, graceMs } = count(life);

  const before = rounds.at(-2);
  const mayRemove =
    last.knownControls && (before === undefined || before.complete) && last.at - createdAt >= last.minimumAgeMs;
  const absent = last.verdict === 'absent' && misses >= last.misses;
  const promised = promises(life.slice(0, -1), createdAt);
  return {
    open,
    misses,
    graceMs,
    ripe: mayRemove && (absent || last.verdict === 'renamedTaken'),
    due:
      mayRemove &&
      absent &&
      graceMs >= last.graceMs &&
      last.auto &&
      !last.attended &&
      promised.length > 0 &&
      promised.every((time) => time <= last.at),
  };
}

/** Every absence that counts, from the newest back, until something separates it from the one before. */
function count(life: readonly Numbered[]): { readonly misses: number; readonly graceMs: number } {
  const elsewhere: readonly VerdictName[] = ['renamed', 'renamedTaken', 'replaced', 'copied'];
  const newestFirst = since(life, ({ verdict }) => elsewhere.includes(verdict))
    .filter(isAbsence)
    .toReversed();
  let misses = 0;
  let graceMs = 0;
  for (const [index, later] of newestFirst.entries()) {
    misses += 1;
    const earlier = newestFirst[index + 1];
    if (earlier === undefined || earlier.epoch !== later.epoch) break;
    const roundsBetween = later.number - earlier.number - 1;
    if (roundsBetween > 3) break;
    if (roundsBetween === 0) graceMs += Math.min(Math.max(later.at - earlier.at, 0), 2 * later.intervalMs);
  }
  return { misses, graceMs };
}

/** The due times announced in these rounds: by each absence under auto-remove that still has something to wait for. */
function promises(life: readonly Numbered[], createdAt: number): readonly number[] {
  const times: number[] = [];
  for (const [index, round] of life.entries()) {
    if (!isAbsence(round) || !round.auto) continue;
    const { misses, graceMs } = count(life.slice(0, index + 1));
    const earliest = Math.max(
      round.at,
      round.at + (round.misses - misses) * round.intervalMs,
      round.at + round.graceMs - graceMs,
      createdAt + round.minimumAgeMs,
    );
    // with nothing left to wait for, what was promised before stands
    if (times.length === 0 || earliest > round.at) times.push(earliest);
  }
  return times;
}

function isAbsence({ complete, verdict }: NotedRound): boolean {
  return complete && verdict === 'absent';
}

function since(rounds: readonly Numbered[], ends: (round: Numbered) => boolean): readonly Numbered[] {
  const last = rounds.findLastIndex((round) => round.complete && ends(round));
  return rounds.slice(last + 1);
}
