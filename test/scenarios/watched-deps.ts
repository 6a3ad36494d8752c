import { createHash } from 'node:crypto';
import type { ActivityDeps } from '../../src/activities/deps.ts';
import { compilePatterns } from '../../src/config/patterns.ts';
import type { TestLedger } from '../support/ledger.ts';
import type { World } from '../support/world/world.ts';
import type { Coverage } from './coverage.ts';
import { type Attempt, interruptible, type Interruptions } from './interruptions.ts';
import { whenRemoved, whenRepointed, whenRestored } from './invariants/act.ts';
import { whenIntended } from './invariants/intent.ts';
import { whenPublished, whenTallied } from './invariants/publication.ts';
import { keyOf } from './people-acts.ts';
import { simulatedRegistry } from './simulated-registry.ts';
import { simulatedSource } from './simulated-source.ts';
import type { Simulation } from './simulation.ts';
import type { Witness } from './witness.ts';

/** What all steps of a history share. */
export interface Theatre {
  readonly simulation: Simulation;
  readonly ledger: TestLedger;
  readonly witness: Witness;
  readonly coverage: Coverage;
}

/**
 * Dependencies of activities on one simulated catalog: interrupted where the history says so, and with every invariant
 * checked at the moment that it is about.
 *
 * @param asking the round whose activity is at work; `undefined` for the removal loop
 */
export function watchedDeps(
  { simulation, ledger, witness, coverage }: Theatre,
  world: World,
  asking: () => string | undefined,
  interruptions: Interruptions,
  attempt: Attempt,
): ActivityDeps {
  const catalog = keyOf(world);
  const question = { db: ledger.db, simulation, witness };
  const asker = () => (asking() === undefined ? 'last-look' : 'round');
  const source = simulatedSource(simulation, world, asker, witness.listener(asking));
  const registry = simulatedRegistry(simulation, {
    removed: (one) => whenRemoved({ ...question, catalog: keyOf(one.world) }, one),
    repointed: (one) => whenRepointed({ ...question, catalog: keyOf(one.world) }, one),
    restored: (one) => whenRestored(witness, one),
  });
  const deps: ActivityDeps = {
    ledger: ledger.ledger,
    clock: simulation.now,
    registryOf: () => registry,
    sourceOf: async () => ({ source, connection: { world: 'simulated' }, probesInFlight: 4 }),
    patternsOf: compilePatterns,
    allowTemporalSignals: false,
    hash: (text) => createHash('sha256').update(text).digest('hex'),
  };
  return interruptible(deps, interruptions, attempt, async (at, args, answer) => {
    const id = asking();
    if (id !== undefined) {
      const round = { ...question, coverage, catalog, round: id };
      if (at === 'registry.count') witness.round(id).counted.push(Number(answer));
      if (at === 'ledger.rounds.tally') await whenTallied(round, Number(args[1]));
      if (at === 'ledger.rounds.publish') await whenPublished(round);
      return;
    }
    if (at === 'ledger.removals.openIntent' && (answer as { answer: string }).answer === 'opened')
      await whenIntended({ ...question, catalog }, (args[0] as { id: string }).id);
    if (at === 'source.probe') interruptions.lastLookBegan();
    if (at === 'registry.remove' || at === 'registry.repoint' || at === 'ledger.removals.settle')
      await interruptions.removalIsOver();
  });
}
