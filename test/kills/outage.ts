import { until } from '../support/until.ts';
import type { Deployment } from './deployment.ts';
import { meetMs, roundAt } from './outage-rounds.ts';
import { type PhaseOfReview, removalAt } from './outage-removals.ts';
import { removalPhases, roundPhases, type RoundPhase } from './phases.ts';

const phasesOfRound = Object.keys(roundPhases) as RoundPhase[];
const phasesOfReview: readonly PhaseOfReview[] = [...(Object.keys(removalPhases) as PhaseOfReview[]), 'pacing'];

/** A catalog for each phase, with the phase's name: one outage meets all of them at once. */
export const phaseCatalogs: readonly string[] = [...phasesOfRound, ...phasesOfReview];

/** What became of one round or removal that an outage met. */
export interface Told {
  readonly what: 'round' | 'removal';
  readonly phase: string;
  readonly became: string;
  /** From the outage to the end. */
  readonly seconds: number;
}

/** Something that goes, and comes back. */
export interface Outage {
  strike(at: Deployment): Promise<void>;
  heal(at: Deployment): Promise<void>;
}

/** Two tables of each catalog's own: the first stays away, the second is there again after the outage. */
export interface TwoTables {
  readonly gone: string;
  readonly back: string;
}

/**
 * Brings a round and a removal to each of their phases, a catalog each; lets the outage strike all of them at that moment;
 * heals it; and waits, with no other hand than a later round's, until everything has come to an end.
 *
 * Where one of sixteen phases is not met in time, nothing has been shown yet: all go on to their ends, and `undefined` says
 * that it takes another try, with other tables.
 */
export async function liveThrough(
  at: Deployment,
  outage: Outage,
  tables: TwoTables,
): Promise<readonly Told[] | undefined> {
  const removals = await Promise.all(phasesOfReview.map((phase) => removalAt(at, phase, tables)));
  const [paced, ...others] = removals.toReversed();
  const [rounds] = await Promise.all([
    Promise.all(phasesOfRound.map((phase) => roundAt(at, phase))),
    Promise.all(others.map((removal) => removal.approve())),
  ]);
  const allMet = async (): Promise<boolean> =>
    rounds.every(({ isMet }) => isMet()) && (await Promise.all(others.map(({ isMet }) => isMet()))).every(Boolean);
  const met = await until('every phase is met', meetMs, allMet).then(
    () => true,
    () => false,
  );
  if (!met) {
    const missing = rounds.flatMap(({ isMet }, index) => (isMet() ? [] : [phasesOfRound[index]]));
    process.stdout.write(`not every phase was met in time; rounds not at ${missing.join(', ') || 'none'}\n`);
    for (const standing of [...rounds, ...removals]) standing.release();
    const since = performance.now();
    await Promise.all([...rounds, ...removals].map((standing) => standing.goesOn(since)));
    return undefined;
  }
  await paced?.approve();
  await until('the pace is kept', meetMs, async () => (await paced?.isMet()) ?? false);

  const since = performance.now();
  await outage.strike(at);
  await Promise.all(removals.map((removal) => removal.recreate()));
  for (const standing of [...rounds, ...removals]) standing.release();
  await outage.heal(at);
  return Promise.all([...rounds, ...removals].map((standing) => standing.goesOn(since)));
}
