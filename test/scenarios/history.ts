import type { DecisionAction } from '../../src/domain/decision.ts';
import type { PolicyMode } from '../../src/domain/policy.ts';
import type { ObjectKind } from '../../src/domain/registration.ts';

/** What happened to a simulated world, as data: printed when it fails, kept as JSON, replayed by itself. */
export interface History {
  readonly start: Beginning;
  readonly steps: readonly Step[];
}

/** The world before the first step. */
export interface Beginning {
  readonly schemas: number;
  /** Tables in each schema. */
  readonly tables: number;
  /** Every third table is a view. */
  readonly views: boolean;
  /** The first schema holds another one, with a table inside. */
  readonly nested: boolean;
  /** Views are stored by the catalog itself. */
  readonly managedViews: boolean;
  readonly attended: boolean;
  /** What the source can be relied on for. */
  readonly parentImpliesChild: boolean;
  readonly stableIdentity: boolean;
  /** A second catalog of the metalake stands on the same source. */
  readonly twoCatalogs: boolean;
  readonly exclusive: boolean;
  readonly policy: PolicyChange;
}

/** The part of a policy that histories vary; lengths are hours. */
export interface PolicyChange {
  readonly mode?: PolicyMode;
  readonly misses?: number;
  readonly graceHours?: number;
  readonly minimumAgeHours?: number;
  readonly approveAttended?: boolean;
  readonly approvalHours?: number;
  readonly minCount?: number;
  readonly maxShare?: number;
  readonly perRound?: number;
  readonly perDay?: number;
  readonly fourEyes?: boolean;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly protect?: readonly string[];
}

/**
 * One thing that happens. Whatever it happens to is picked by number out of those there are at that moment, so that a
 * history stays playable when steps are taken out of it.
 */
export type Act =
  // at the source
  | { readonly do: 'create'; readonly pick: number; readonly name: number; readonly kind: ObjectKind }
  | { readonly do: 'drop'; readonly pick: number }
  | { readonly do: 'rename'; readonly pick: number; readonly name: number }
  /** Onto the name of a registration whose object is gone. */
  | { readonly do: 'rename-onto'; readonly pick: number; readonly onto: number }
  /** A new object under the name of a registration whose object is gone. */
  | { readonly do: 'recreate'; readonly pick: number }
  /** The very object that was dropped is back, perhaps under another name. */
  | { readonly do: 'undrop'; readonly pick: number; readonly elsewhere: boolean }
  | { readonly do: 'replace'; readonly pick: number; readonly kind: ObjectKind }
  /** Another object with the same identity; or two of them elsewhere, and none under the old name. */
  | { readonly do: 'copy'; readonly pick: number; readonly name: number; readonly away: boolean }
  /** A container goes and what was inside stays; only where the source's rules allow it. */
  | { readonly do: 'drop-around'; readonly pick: number }
  // between us and the source
  | { readonly do: 'outage'; readonly with: Outage }
  /** From now on the principal gets no answer about an object; about a schema and all inside it alike. */
  | { readonly do: 'deny'; readonly pick: number }
  /** From now on the principal does not see an object, and the source says that its answers are filtered. */
  | { readonly do: 'hide'; readonly pick: number }
  /** Rounds, and only they, are told that an object is not there. */
  | { readonly do: 'lie'; readonly pick: number }
  | { readonly do: 'proxy'; readonly how: Proxying }
  | { readonly do: 'principal'; readonly name: number }
  | { readonly do: 'failover'; readonly fingerprint: 'same' | 'other' }
  /** All of the above is over. */
  | { readonly do: 'clear-up' }
  // at the registry
  | { readonly do: 'register'; readonly pick: number; readonly name: number }
  | { readonly do: 'unregister'; readonly pick: number; readonly recorded: boolean }
  | { readonly do: 'reregister'; readonly pick: number }
  | { readonly do: 'attach'; readonly pick: number; readonly what: 'owner' | 'tag' | 'comment' }
  | { readonly do: 'registry'; readonly mood: Mood; readonly lateMs: number }
  | { readonly do: 'miscount'; readonly by: number }
  // people
  | {
      readonly do: 'decide';
      readonly pick: number;
      readonly action: DecisionAction;
      readonly outdated: boolean;
      readonly keepHours: number;
      /** A person sends the same decision twice. */
      readonly twice: boolean;
    }
  | { readonly do: 'override'; readonly max: number; readonly hours: number }
  /** Somebody else approves the newest override. */
  | { readonly do: 'second-eyes'; readonly same: boolean }
  /** A removal is to be undone. */
  | { readonly do: 'restore'; readonly pick: number }
  | { readonly do: 'pause' }
  | { readonly do: 'resume' }
  | { readonly do: 'accept-source' }
  | { readonly do: 'policy'; readonly change: PolicyChange }
  // time
  | { readonly do: 'clock'; readonly ms: number };

export type Outage = 'unreachable' | 'denied' | 'busy';
export type Proxying = 'all-absent' | 'all-present' | 'truncated' | 'other-database';

/** How the registry treats the next removal or re-pointing. */
export type Mood =
  | 'refuses'
  | 'says-done'
  | 'says-refused'
  | 'loses'
  | 'does-it-without-answer'
  | 'late'
  | 'answers-unknown';

/** A round or a stretch of the removal loop; other things happen in the middle of it. */
export type Run =
  | { readonly do: 'round'; readonly dry: boolean; readonly catalog: number }
  /** At most so many steps of the loop. */
  | { readonly do: 'review'; readonly steps: number; readonly catalog: number };

export type Step = Act | (Run & { readonly after: number; readonly during: readonly Interruption[] });

/** Something happens right before or after a call that leaves the process: of an activity to a port. */
export interface Interruption {
  /** Such as `ledger.rounds.publish`, `source.probe` or `registry.remove`. */
  readonly at: string;
  /** The how-manieth call of that name in the step, from 0. */
  readonly call: number;
  readonly when: 'before' | 'after';
  readonly what:
    | Act
    | Run
    /** The worker dies; Temporal tries again, except a removal. */
    | { readonly do: 'crash' }
    /** The other side fails, at so many calls in a row. */
    | { readonly do: 'fail'; readonly times: number }
    /** An operator terminates the workflow. */
    | { readonly do: 'terminate' };
}
