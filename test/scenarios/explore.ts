import { getTableName, is, sql } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import fc from 'fast-check';
import * as schema from '../../src/ledger/schema.ts';
import type { TestLedger } from '../support/ledger.ts';
import { Coverage } from './coverage.ts';
import { histories } from './generation.ts';
import type { History } from './history.ts';
import { HistoryFailed, play } from './play.ts';

/** A seed whose history broke a rule, with the smallest history found that still does. */
export interface Failure extends Broken {
  readonly seed: number;
  readonly history: History;
}

interface Broken {
  /** The rule. */
  readonly broken: string;
  readonly message: string;
}

export interface Explored {
  readonly played: number;
  readonly tookMs: number;
  readonly coverage: Coverage;
  readonly failure?: Failure;
}

/** Histories after which the shared ledger is emptied: its tables stay small, and emptying costs little. */
const historiesALedger = 60;

export interface Seeds {
  readonly start: number;
  readonly count: number;
  /** No history is begun after so long. */
  readonly forMs?: number;
  /** Goes on after that time as long as this says that something is missing. */
  readonly lacks?: (coverage: Coverage) => boolean;
  readonly shrinkMs?: number;
  /** Histories that are played at once; more than one helps where the ledger is another process. */
  readonly width?: number;
}

/** Plays one history a seed until one fails, or time is over; the failing one is shrunk. */
export async function explore(
  ledger: TestLedger,
  { start, count, forMs = Infinity, lacks = () => false, shrinkMs = 60_000, width = 1 }: Seeds,
  progress: (done: number, tookMs: number) => void = () => undefined,
): Promise<Explored> {
  const coverage = new Coverage();
  const began = performance.now();
  const took = (): number => performance.now() - began;
  const end = start + count;
  let played = 0;
  let failed: ({ readonly seed: number } & Broken) | undefined;
  const goesOn = (): boolean => failed === undefined && (took() < forMs || lacks(coverage));
  for (let batch = start; batch < end && goesOn(); batch += historiesALedger) {
    await emptied(ledger);
    let next = batch;
    const player = async (): Promise<void> => {
      while (next < Math.min(batch + historiesALedger, end) && goesOn()) {
        const seed = next++;
        const failure = await failureOf(historyOf(seed), ledger, coverage);
        if (failure !== undefined) failed ??= { seed, ...failure };
        played += 1;
        progress(played, took());
      }
    };
    await Promise.all(Array.from({ length: width }, player));
  }
  const explored = { played, tookMs: took(), coverage };
  if (failed === undefined) return explored;
  const { seed, ...broken } = failed;
  return { ...explored, failure: { seed, ...(await shrunk(historyOf(seed), broken, ledger, shrinkMs)) } };
}

/** Emptying by `truncate` leaves nothing behind that would have to be vacuumed. */
async function emptied({ db }: TestLedger): Promise<void> {
  const names = Object.values<unknown>(schema).filter((value) => is(value, PgTable));
  await db.execute(sql.raw(`truncate ${names.map((table) => `"${getTableName(table)}"`).join(', ')}`));
}

/** The history of a seed: always the same one. */
export function historyOf(seed: number): History {
  const [history] = fc.sample(histories, { seed, numRuns: 1, unbiased: true });
  if (history === undefined) throw new Error(`seed ${seed} has no history`);
  return history;
}

async function failureOf(history: History, ledger: TestLedger, coverage?: Coverage): Promise<Broken | undefined> {
  try {
    await play(history, ledger, coverage);
    return undefined;
  } catch (error) {
    if (error instanceof HistoryFailed) return { broken: error.violations[0]?.rule ?? '', message: error.message };
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { broken: 'an error that nobody expects', message };
  }
}

/** Takes steps and interruptions out for as long as the same rule breaks without them. */
export async function shrunk(history: History, broken: Broken, ledger: TestLedger, forMs: number) {
  let smallest = { history, ...broken };
  const deadline = performance.now() + forMs;
  for (let size = Math.ceil(history.steps.length / 2); size >= 1; ) {
    const smaller = await firstThatFails(candidates(smallest.history, size), smallest, ledger, deadline);
    if (smaller !== undefined) smallest = smaller;
    else if (size === 1 || performance.now() > deadline) break;
    else size = Math.floor(size / 2);
  }
  return smallest;
}

async function firstThatFails(
  smaller: readonly History[],
  { broken }: Broken,
  ledger: TestLedger,
  deadline: number,
): Promise<({ readonly history: History } & Broken) | undefined> {
  for (const history of smaller) {
    if (performance.now() > deadline) return undefined;
    const failure = await failureOf(history, ledger);
    if (failure?.broken === broken) return { history, ...failure };
  }
  return undefined;
}

/** Without so many steps in a row, the last first; at last also without single interruptions. */
function candidates({ start, steps }: History, size: number): readonly History[] {
  const shorter: History[] = [];
  for (let from = steps.length - size; from > -size; from -= size)
    shorter.push({ start, steps: steps.filter((_step, index) => index < from || index >= from + size) });
  if (size > 1) return shorter;
  const calmer = steps.flatMap((step, at) => {
    if (step.do !== 'round' && step.do !== 'review') return [];
    return step.during.map((without) => {
      const during = step.during.filter((one) => one !== without);
      return { start, steps: steps.map((one, index) => (index === at ? { ...step, during } : one)) };
    });
  });
  return [...shorter, ...calmer];
}
