import type { CatalogName } from '../../src/contract/names.ts';
import type { DecideMessage } from '../../src/contract/review-messages.ts';
import type { RoundReport, RoundResult } from '../../src/contract/round-messages.ts';
import type { Actor } from '../../src/domain/actor.ts';
import { pathText } from '../../src/domain/path.ts';
import { type Gateway, GatewayUnavailable, type RoundRun } from '../../src/api/gateway.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';

/** A gateway without Temporal: tests say how rounds end, decisions go straight to the ledger. */
export class FakeGateway implements Gateway {
  /** Temporal does not answer. */
  away = false;
  /** Temporal answers, and no worker asks it for work: what needs one is not sent. */
  workless = false;
  /** How the next round ends; `undefined` outlasts every wait. */
  result: Omit<Partial<RoundResult>, 'roundId'> | undefined;
  roundId = 'r1';
  joined = false;
  live: RoundReport | undefined;
  /** How often somebody asked for it. */
  looks = 0;
  /** Decisions are sent, and no answer comes in time. */
  slow = false;
  /** What the review does as soon as it is woken. */
  review: (() => Promise<unknown>) | undefined;
  readonly started: { readonly name: CatalogName; readonly dry: boolean; readonly actor: Actor }[] = [];
  readonly waited: number[] = [];
  readonly decided: DecideMessage[] = [];
  readonly woken: string[] = [];
  readonly #ledger: Ledger;
  readonly #now: () => number;

  constructor(ledger: Ledger, now: () => number) {
    this.#ledger = ledger;
    this.#now = now;
  }

  async startRound(name: CatalogName, how: { readonly dry: boolean; readonly actor: Actor }): Promise<RoundRun> {
    this.#reach();
    this.#work();
    this.started.push({ name, ...how });
    return { roundId: this.roundId, workflowId: `round/${name.catalog}`, joined: this.joined };
  }

  async awaitRound({ roundId }: RoundRun, waitMs: number): Promise<RoundResult | undefined> {
    this.#reach();
    this.waited.push(waitMs);
    if (this.result === undefined) return undefined;
    return { roundId, end: 'published', totals: noTotals, open: 0, due: 0, hold: [], ...this.result };
  }

  async liveReport(_name: CatalogName, { dry }: { readonly dry: boolean }): Promise<RoundReport | undefined> {
    this.looks += 1;
    this.#reach();
    return this.live?.dry === dry ? this.live : undefined;
  }

  async decide({ metalake, catalog }: CatalogName, message: DecideMessage): ReturnType<Gateway['decide']> {
    this.#reach();
    this.#work();
    this.decided.push(message);
    if (this.slow) return { status: 'sent', updateId: message.requestKey };
    const now = this.#now();
    const answers = await this.#ledger.decisions.decide({
      ...message,
      catalog: pathText([metalake, catalog]),
      canRepoint: true,
      now,
    });
    return { status: 'answered', result: { answers } };
  }

  async wakeReview(_name: CatalogName, why: string): Promise<void> {
    this.#reach();
    this.woken.push(why);
    await this.review?.();
  }

  async ping(): Promise<void> {
    this.#reach();
  }

  #work(): void {
    if (this.workless) throw new GatewayUnavailable('no worker', { missing: 'worker' });
  }

  #reach(): void {
    if (this.away) throw new GatewayUnavailable('away', { retryAfterSeconds: 7 });
  }
}

export const noTotals: RoundResult['totals'] = { registrations: 0, eligible: 0, probed: 0, verdicts: {} };
