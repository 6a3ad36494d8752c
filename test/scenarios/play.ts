import { changesSource, actAtSource, clearUp } from './source-acts.ts';
import { catalogRows } from './ledger-rows.ts';
import type { TestLedger } from '../support/ledger.ts';
import { Coverage } from './coverage.ts';
import type { Act, History, Run, Step } from './history.ts';
import { Interruptions } from './interruptions.ts';
import { always } from './invariants/always.ts';
import { atRest } from './invariants/at-rest.ts';
import { actAsPerson, ada, keyOf } from './people-acts.ts';
import { playReview } from './play-review.ts';
import { playRound } from './play-round.ts';
import { actAtRegistry } from './registry-acts.ts';
import { firstPolicy, intervalMs, Simulation } from './simulation.ts';
import { Stage, Terminated } from './stage.ts';
import type { Theatre } from './watched-deps.ts';
import { type Violation, Witness } from './witness.ts';

/** A history that broke a rule. */
export class HistoryFailed extends Error {
  override readonly name = 'HistoryFailed';
  readonly violations: readonly Violation[];

  constructor(violations: readonly Violation[], step: number) {
    const [first] = violations;
    super(`after step ${step}: ${first?.rule ?? 'nothing'}: ${JSON.stringify(first?.detail, null, 1)}`);
    this.violations = violations;
  }
}

let played = 0;

/**
 * Plays a history on the real activities, rules and ledger, and checks every invariant after each step and at the
 * moments that matter in between. Throws {@link HistoryFailed} at the first step after which one does not hold.
 */
export async function play(history: History, ledger: TestLedger, coverage: Coverage = new Coverage()): Promise<void> {
  const simulation = new Simulation(`h${(played += 1)}`, history.start);
  const theatre: Theatre = { simulation, ledger, witness: new Witness(), coverage };
  const { catalogs } = ledger.ledger;
  for (const world of simulation.worlds) {
    await catalogs.ensure('world', world.catalog, simulation.now());
    const policy = firstPolicy(history.start);
    await catalogs.applyPolicy({ catalog: keyOf(world), policy, intervalMs, actor: ada, now: simulation.now() });
  }
  for (const [index, step] of history.steps.entries()) {
    const touchesLedger = await take(theatre, step);
    if (touchesLedger) await check(theatre, index);
  }
  await comeToRest(theatre, history.steps.length);
}

/** Says whether the ledger may be another one now. */
async function take(theatre: Theatre, step: Step): Promise<boolean> {
  theatre.coverage.saw('step', step.do);
  if (step.do !== 'round' && step.do !== 'review') return perform(theatre, step);
  await theatre.simulation.advance(step.after);
  const interruptions = new Interruptions(step.during, {
    perform: async (what) => {
      await perform(theatre, what);
    },
    changesSource,
    saw: ({ what }) => theatre.coverage.saw('in the middle', what.do),
  });
  await run(theatre, step, interruptions);
  return true;
}

async function perform(theatre: Theatre, what: Act | Run): Promise<boolean> {
  const { simulation, ledger, witness, coverage } = theatre;
  if (what.do === 'round' || what.do === 'review') {
    await run(theatre, what, new Interruptions());
    return true;
  }
  if (actAtSource(simulation, what) || actAtRegistry(simulation, what)) return false;
  if (await actAsPerson({ simulation, ledger: ledger.ledger, witness, coverage }, what)) return true;
  throw new Error(`nobody knows how to ${what.do}`);
}

async function run(theatre: Theatre, what: Run, interruptions: Interruptions): Promise<void> {
  const stage = new Stage(theatre, theatre.simulation.world(what.catalog), what.do, interruptions);
  try {
    if (what.do === 'round') theatre.coverage.saw('round ended', await playRound(stage, what.dry));
    else await playReview(stage, what.steps);
  } catch (error) {
    if (!(error instanceof Terminated)) throw error;
    theatre.coverage.saw('terminated', what.do);
  }
}

async function check({ simulation, ledger, witness }: Theatre, step: number): Promise<void> {
  for (const world of simulation.worlds) {
    const key = keyOf(world);
    always(witness, key, world, await catalogRows(ledger.db, key));
  }
  if (witness.violations.length > 0) throw new HistoryFailed(witness.violations, step);
}

/** Ends all faults and lets rounds and the loop go on until nothing moves any more. */
async function comeToRest(theatre: Theatre, step: number): Promise<void> {
  const { simulation, ledger, witness } = theatre;
  clearUp(simulation);
  for (const [index, world] of simulation.worlds.entries()) {
    const key = keyOf(world);
    const rows = await catalogRows(ledger.db, key);
    const isUnderWay =
      rows.intents.some(({ state }) => state === 'open') ||
      rows.decisions.some(({ state, action }) => state === 'active' && action === 'approve');
    if (!isUnderWay) continue;
    await ledger.ledger.decisions.resume(key, ada, simulation.now());
    for (let round = 0; round < 2; round += 1) {
      await simulation.advance(intervalMs);
      await run(theatre, { do: 'round', dry: false, catalog: index }, new Interruptions());
      await run(theatre, { do: 'review', steps: 40, catalog: index }, new Interruptions());
    }
    await check(theatre, step);
    atRest(witness, await catalogRows(ledger.db, key), simulation.now(), simulation.beginning.exclusive);
  }
  await check(theatre, step);
}
