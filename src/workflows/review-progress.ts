import type { CatalogName } from '../contract/names.ts';
import type { RemovalNote, RemovalsReport, ReviewTotals, StaleReport } from '../contract/review-messages.ts';
import type { RemovalOutcome } from '../domain/removal.ts';

/** As many as a person reads at a glance; the ledger has all. */
const latestNotes = 20;

/** What the review shows of itself. */
export class ReviewProgress {
  readonly #name: CatalogName;
  #totals: Partial<Record<RemovalOutcome, number>>;
  #latest: RemovalNote[] = [];
  #doing = 'starting';
  #open = 0;

  constructor(name: CatalogName, totals: ReviewTotals = {}) {
    this.#name = name;
    this.#totals = { ...totals };
  }

  doing(what: string, open?: number): void {
    this.#doing = what;
    if (open !== undefined) this.#open = open;
  }

  removed(path: string, outcome: RemovalOutcome, at: number): void {
    this.#totals[outcome] = (this.#totals[outcome] ?? 0) + 1;
    this.#latest = [{ path, outcome, at }, ...this.#latest].slice(0, latestNotes);
  }

  totals(): ReviewTotals {
    return this.#totals;
  }

  staleReport(): StaleReport {
    return { ...this.#name, open: this.#open, doing: this.#doing, more: `${this.#address()}/stale` };
  }

  removals(): RemovalsReport {
    return { ...this.#name, totals: this.#totals, latest: this.#latest, more: `${this.#address()}/removals` };
  }

  /** A few lines for a person who looks at the run in the Temporal UI. */
  details(): string {
    const outcomes = Object.entries(this.#totals).map(([outcome, count]) => `${count} ${outcome}`);
    return `**Review of ${this.#name.metalake}/${this.#name.catalog}**: ${this.#doing}\n\n${outcomes.join(', ') || 'no removal yet'}`;
  }

  #address(): string {
    const { metalake, catalog } = this.#name;
    return `/api/metalakes/${encodeURIComponent(metalake)}/catalogs/${encodeURIComponent(catalog)}`;
  }
}
