import type { ActivityDeps } from '../../src/activities/deps.ts';
import { type FailureType, ReconcilerFailure } from '../../src/domain/failure.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { Act, Interruption, Run } from './history.ts';

/** One attempt of one activity. Whatever it still does after its worker died reaches nobody. */
export interface Attempt {
  dead: boolean;
}

/** Sees every call of an activity that came back. */
export type Observer = (at: string, args: readonly unknown[], answer: unknown) => Promise<void>;

const failures: Readonly<Record<string, FailureType>> = {
  source: 'SourceUnavailable',
  registry: 'RegistryUnreachable',
  ledger: 'LedgerUnavailable',
};

/** Whoever makes happen what comes in between. */
export interface Director {
  readonly perform: (what: Act | Run) => Promise<void>;
  readonly changesSource: (what: Act | Run) => what is Act;
  readonly saw: (interruption: Interruption) => void;
  /** Where there are real workers and workflows to be ended: does that, instead of playing dead. */
  readonly end?: (what: 'crash' | 'terminate') => void;
}

/** What comes between the calls of one step's activities. Each interruption happens once. */
export class Interruptions {
  terminated = false;
  /** Acts that must not fall between the last look and the request: docs/safety.md promises nothing for that moment. */
  #heldBack: Act[] | undefined;
  #left: Set<Interruption>;
  readonly #calls = new Map<string, number>();
  readonly #director: Director | undefined;

  /** None given: nothing comes in between. */
  constructor(interruptions: readonly Interruption[] = [], director?: Director) {
    this.#left = new Set(interruptions);
    this.#director = director;
  }

  /** From now on these are what comes in between. */
  arm(interruptions: readonly Interruption[]): void {
    this.#left = new Set(interruptions);
    this.#calls.clear();
  }

  /** The source has been asked for the last time before a removal. */
  lastLookBegan(): void {
    this.#heldBack ??= [];
  }

  async removalIsOver(): Promise<void> {
    const held = this.#heldBack ?? [];
    this.#heldBack = undefined;
    for (const act of held) await this.#director?.perform(act);
  }

  async around(
    attempt: Attempt,
    at: string,
    call: () => Promise<unknown>,
    observe: (answer: unknown) => Promise<void>,
  ): Promise<unknown> {
    if (attempt.dead) throw new Error('the worker is dead');
    const number = this.#calls.get(at) ?? 0;
    this.#calls.set(at, number + 1);
    await this.#interrupt(attempt, at, number, 'before');
    const answer = await call();
    await observe(answer);
    await this.#interrupt(attempt, at, number, 'after');
    return answer;
  }

  async #interrupt(attempt: Attempt, at: string, call: number, when: Interruption['when']): Promise<void> {
    for (const interruption of this.#left) {
      const { what } = interruption;
      // a failure that lasts meets the calls that follow as well
      const lasts = what.do === 'fail' && call > interruption.call && call < interruption.call + what.times;
      if (interruption.at !== at || interruption.when !== when || (interruption.call !== call && !lasts)) continue;
      if (what.do !== 'fail' || call + 1 >= interruption.call + what.times) this.#left.delete(interruption);
      this.#director?.saw(interruption);
      switch (what.do) {
        case 'fail':
          throw new ReconcilerFailure(failures[at.split('.')[0] ?? ''] ?? 'Internal', 'simulated', `${at} failed`);
        case 'terminate':
        case 'crash':
          if (this.#director?.end === undefined) {
            this.terminated ||= what.do === 'terminate';
            attempt.dead = true;
          } else this.#director.end(what.do);
          throw new Error(what.do === 'crash' ? 'the worker died' : 'terminated');
        default:
          if (this.#heldBack !== undefined && this.#director?.changesSource(what) === true) this.#heldBack.push(what);
          else await this.#director?.perform(what);
      }
    }
  }
}

/** The dependencies of one attempt: each call of a port can be interrupted and is seen by the observer. */
export function interruptible(
  deps: ActivityDeps,
  interruptions: Interruptions,
  attempt: Attempt,
  observer: Observer,
): ActivityDeps {
  const wrap = <Port extends object>(port: Port, name: string): Port =>
    new Proxy(port, {
      get(target, key) {
        const member: unknown = Reflect.get(target, key);
        if (typeof member !== 'function' || typeof key !== 'string') return member;
        const at = `${name}.${key}`;
        return (...args: readonly unknown[]) =>
          interruptions.around(
            attempt,
            at,
            () => Reflect.apply(member, target, args) as Promise<unknown>,
            (answer) => observer(at, args, answer),
          );
      },
    });
  const { rounds, findings, decisions, removals, restores, catalogs, audit } = deps.ledger;
  const ledger: Ledger = {
    ...deps.ledger,
    rounds: wrap(rounds, 'ledger.rounds'),
    findings: wrap(findings, 'ledger.findings'),
    decisions: wrap(decisions, 'ledger.decisions'),
    removals: wrap(removals, 'ledger.removals'),
    restores: wrap(restores, 'ledger.restores'),
    catalogs: wrap(catalogs, 'ledger.catalogs'),
    audit: wrap(audit, 'ledger.audit'),
  };
  return {
    ...deps,
    ledger,
    registryOf: (metalake) => wrap(deps.registryOf(metalake), 'registry'),
    sourceOf: async (name, signal) => {
      const open = await deps.sourceOf(name, signal);
      return { ...open, source: wrap(open.source, 'source') };
    },
  };
}
