import type { VerdictKind } from '../domain/verdict.ts';
import type { CatalogKey, CatalogState } from './records.ts';

/** How long a finding has been open, as the upper bound of its bucket. */
export type FindingAge = '1d' | '7d' | '30d' | 'inf';

/** Where one catalog stands, in numbers; times are Unix milliseconds. */
export interface CatalogFigures {
  readonly key: CatalogKey;
  readonly metalake: string;
  readonly name: string;
  readonly state: CatalogState;
  readonly bars: Readonly<Record<'hold' | 'pause' | 'stop', boolean>>;
  readonly publishedAt?: number;
  /** Of the published round. */
  readonly verdicts: Readonly<Partial<Record<VerdictKind, number>>>;
  /** Open findings that nobody rejected. */
  readonly open: Readonly<Record<FindingAge, number>>;
  readonly due: number;
  /** Decisions in force that are not carried out yet, and since when the oldest of them waits. */
  readonly waiting: { readonly approve: number; readonly repoint: number; readonly since?: number };
  /** Since when a removal is under way without a known outcome. */
  readonly intentOpenSince?: number;
  /** Of the policy in effect. */
  readonly removalsPerSecond: number;
}

export interface FiguresLedger {
  /** Every catalog that was ever looked at, in order of key. Reads all open findings: seconds apart, not more often. */
  catalogs(now: number): Promise<readonly CatalogFigures[]>;
}
