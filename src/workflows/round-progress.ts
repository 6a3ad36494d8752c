import { maxSamples } from '../contract/round-messages.ts';
import type { RoundInput, RoundPhase, RoundReport, RoundResult, StaleSample } from '../contract/round-messages.ts';
import type { VerdictKind } from '../domain/verdict.ts';

/** What one probe activity adds to the counts. */
export interface Probed {
  readonly probed: number;
  readonly verdicts: Readonly<Partial<Record<VerdictKind, number>>>;
  readonly samples: readonly StaleSample[];
}

/** The counts of a running round, as its query `report` shows them. Never lists. */
export class RoundProgress {
  phase: RoundPhase = 'opening';
  readonly #input: RoundInput;
  readonly #roundId: string;
  #registrations = 0;
  #eligible = 0;
  #probed = 0;
  #verdicts: Partial<Record<VerdictKind, number>> = {};
  #samples: StaleSample[] = [];
  #result: RoundResult | undefined;

  constructor(input: RoundInput, roundId: string) {
    this.#input = input;
    this.#roundId = roundId;
  }

  enter(phase: RoundPhase): void {
    this.phase = phase;
  }

  listed(counts: { readonly registrations: number; readonly eligible: number }): void {
    this.#registrations = counts.registrations;
    this.#eligible = counts.eligible;
  }

  add({ probed, verdicts, samples }: Probed): void {
    this.#probed += probed;
    for (const [kind, count] of Object.entries(verdicts) as [VerdictKind, number][]) {
      this.#verdicts[kind] = (this.#verdicts[kind] ?? 0) + count;
    }
    this.#samples.push(...samples.slice(0, this.roomForSamples()));
  }

  roomForSamples(): number {
    return maxSamples - this.#samples.length;
  }

  finish(ended: Omit<RoundResult, 'roundId'>): RoundResult {
    this.#result = { roundId: this.#roundId, ...ended };
    return this.#result;
  }

  report(): RoundReport {
    const { metalake, catalog, dry } = this.#input;
    const result = this.#result;
    return {
      metalake,
      catalog,
      dry,
      roundId: this.#roundId,
      phase: this.phase,
      totals: result?.totals ?? {
        registrations: this.#registrations,
        eligible: this.#eligible,
        probed: this.#probed,
        verdicts: this.#verdicts,
      },
      samples: this.#samples,
      hold: result?.hold ?? [],
      ...(result === undefined ? {} : { end: result.end }),
      ...(result?.reason === undefined ? {} : { reason: result.reason }),
      more: `/api/metalakes/${encodeURIComponent(metalake)}/catalogs/${encodeURIComponent(catalog)}/rounds/${this.#roundId}`,
    };
  }

  /** A few lines for a person who looks at the run in the Temporal UI. */
  details(): string {
    const { metalake, catalog, dry } = this.#input;
    const counts = `${this.#probed} of ${this.#eligible} asked about, ${this.#verdicts.absent ?? 0} absent`;
    return `**${dry ? 'Dry scan' : 'Round'} of ${metalake}/${catalog}**: ${this.phase}\n\n${this.#registrations} registrations, ${counts}`;
  }
}
