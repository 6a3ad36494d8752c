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
import type { CatalogName } from '../../src/contract/names.ts';
import type { IntentAction } from '../../src/domain/removal.ts';
import type { World } from '../support/world/world.ts';
import type { Coverage } from './coverage.ts';
import type { Attempt, Interruptions } from './interruptions.ts';
import type { Simulation } from './simulation.ts';
import { type Theatre, watchedDeps } from './watched-deps.ts';

/** As often as Temporal tries in the shortest of the activities' policies. */
const fewestAttempts = 3;

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

  /** Runs an activity until it answers or fails for good, however long that takes. */
  insist = <Answer>(run: (activities: ReconcileActivities) => Promise<Answer>): Promise<Answer> =>
    this.call(run, Number.POSITIVE_INFINITY);

  /** Runs an activity until it answers, fails for good, or its attempts are used up. */
  call = async <Answer>(
    run: (activities: ReconcileActivities) => Promise<Answer>,
    attempts = fewestAttempts,
  ): Promise<Answer> => {
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
    const asking = (): string | undefined => (this.#isRound ? this.roundId : undefined);
    return watchedDeps(this.#theatre, this.#world, asking, this.#interruptions, attempt);
  }
}

/** The workflow was ended by an operator; nothing of it goes on. */
export class Terminated extends Error {
  override readonly name = 'Terminated';
}
