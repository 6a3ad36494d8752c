import type { CatalogName } from '../contract/names.ts';
import type { Hash } from '../domain/digest.ts';
import type { Policy } from '../domain/policy.ts';
import type { ScopePatterns } from '../domain/scope.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Registry } from '../registries/registry.ts';
import type { Source } from '../sources/source.ts';

/** An open source and the settings it was opened with. */
export interface OpenSource {
  readonly source: Source;
  /** Where it leads, without secrets; part of the epoch. */
  readonly connection: Readonly<Record<string, string>>;
  /** Questions that may be under way at once for this catalog. */
  readonly probesInFlight: number;
}

/** Everything that activities work with; `main` builds it. */
export interface ActivityDeps {
  readonly ledger: Ledger;
  /** Throws `InvalidRequest` for a metalake that nobody configured. */
  readonly registryOf: (metalake: string) => Registry;
  /** Opens the catalog's source, or hands out the one that is open with the same settings. */
  readonly sourceOf: (name: CatalogName, signal: AbortSignal) => Promise<OpenSource>;
  readonly patternsOf: (policy: Policy) => ScopePatterns;
  /** Whether decisions that come as a Temporal signal count; who sends one may name anybody. */
  readonly allowTemporalSignals: boolean;
  /** The clock that rules go by: Unix milliseconds. */
  readonly clock: () => number;
  readonly hash: Hash;
  /** Told of each attempt that begins, and how long it waited in its queue for a worker. */
  readonly waited?: (attempt: { readonly queue: string; readonly activity: string; readonly seconds: number }) => void;
}
