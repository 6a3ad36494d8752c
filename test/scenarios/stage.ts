import { createHash } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import type { ActivityDeps } from '../../src/activities/deps.ts';
import {
  createReconcileActivities,
  createRemovalActivities,
  type ReconcileActivities,
} from '../../src/activities/index.ts';
import type { IntentOutcome } from '../../src/activities/carry-out-intent.ts';
import { compilePatterns } from '../../src/config/patterns.ts';
import type { CatalogName } from '../../src/contract/names.ts';
import type { IntentAction } from '../../src/domain/removal.ts';
import type { World } from '../support/world/world.ts';
import type { TestLedger } from '../support/ledger.ts';
import type { Coverage } from './coverage.ts';
import { type Attempt, interruptible, type Interruptions } from './interruptions.ts';
import { whenPublished, whenTallied } from './invariants/publication.ts';
import { whenIntended } from './invariants/intent.ts';
import { whenRemoved, whenRepointed, whenRestored } from './invariants/act.ts';
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

/** As often as Temporal tries in the shortest of the activities' policies. */
const attempts = 3;

const environment = new MockActivityEnvironment({ attempt: 1 }, { logger: new DefaultLogger('ERROR') });

/** One round or one stretch of the removal loop: runs activities as a worker would, with what comes between. */
export class Stage {
  readonly name: CatalogName;
  readonly roundId: string;
  readonly simulation: Simulation;
  readonly coverage: Coverage;
  readonly #theatre: Theatre;
  readonly #world: World;
  readonly #interruptions: Interruptions;
  readonly #isRound: boolean;

  constructor(theatre: Theatre, world: World, what: 'round' | 'review', interruptions: Interruptions) {
    this.#theatre = theatre;
    this.#world = world;
    this.#interruptions = interruptions;
    this.#isRound = what === 'round';
    this.simulation = theatre.simulation;
    this.coverage = theatre.coverage;
    this.name = { metalake: 'world', catalog: world.catalog };
    this.roundId = `${world.catalog} ${what} ${(theatre.simulation.requests += 1)}`;
  }

  now = (): number => this.simulation.now();

  /** Runs an activity until it answers, fails for good, or its attempts are used up. */
  call = async <Answer>(run: (activities: ReconcileActivities) => Promise<Answer>): Promise<Answer> => {
    for (let number = 1; ; number += 1) {
      const attempt: Attempt = { dead: false };
      try {
        return await environment.run(() => run(createReconcileActivities(this.#depsOf(attempt))));
      } catch (error) {
        this.throwIfTerminated();
        const again = attempt.dead || (error instanceof ApplicationFailure && error.nonRetryable !== true);
        if (!again || number >= attempts) throw error;
        this.coverage.saw('activity tried again', attempt.dead ? 'after a crash' : 'after a failure');
      }
    }
  };

  /** Carries an intent out, once. */
  async act(action: IntentAction, finding: string): Promise<IntentOutcome> {
    const intentId = `${this.#world.catalog} intent ${(this.simulation.requests += 1)}`;
    try {
      const deps = this.#depsOf({ dead: false });
      const { removeRegistration, repointRegistration } = createRemovalActivities(deps);
      const activity = action === 'remove' ? removeRegistration : repointRegistration;
      return await environment.run(() => activity({ ...this.name, finding, intentId }));
    } finally {
      await this.#interruptions.removalIsOver();
    }
  }

  /** Undoes a removal as somebody wished; what does not answer is asked again by the loop. */
  restore(restoreId: string): Promise<{ readonly outcome: string }> {
    const deps = this.#depsOf({ dead: false });
    return environment.run(() => createRemovalActivities(deps).restoreRegistration({ ...this.name, restoreId }));
  }

  throwIfTerminated(): void {
    if (this.#interruptions.terminated) throw new Terminated();
  }

  #depsOf(attempt: Attempt): ActivityDeps {
    const { simulation, ledger, witness, coverage } = this.#theatre;
    const world = this.#world;
    const catalog = keyOf(world);
    const question = { db: ledger.db, simulation, witness };
    const asker = this.#isRound ? 'round' : 'last-look';
    const source = simulatedSource(
      simulation,
      world,
      asker,
      witness.listener(this.#isRound ? this.roundId : undefined),
    );
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
      hash: (text) => createHash('sha256').update(text).digest('hex'),
    };
    return interruptible(deps, this.#interruptions, attempt, async (at, args, answer) => {
      const round = { ...question, coverage, catalog, round: this.roundId };
      if (at === 'ledger.rounds.tally') await whenTallied(round, Number(args[1]));
      if (at === 'ledger.rounds.publish') await whenPublished(round);
      if (at === 'ledger.removals.openIntent' && (answer as { answer: string }).answer === 'opened')
        await whenIntended({ ...question, catalog }, (args[0] as { id: string }).id);
      if (at === 'source.probe' && !this.#isRound) this.#interruptions.lastLookBegan();
      if (at === 'registry.remove' || at === 'registry.repoint') await this.#interruptions.removalIsOver();
    });
  }
}

/** The workflow was ended by an operator; nothing of it goes on. */
export class Terminated extends Error {
  override readonly name = 'Terminated';
}
