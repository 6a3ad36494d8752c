import type { Actor } from '../domain/actor.ts';
import type { Path } from '../domain/path.ts';
import type { Attachments, EntityKind } from '../domain/registration.ts';
import type { Removed } from '../domain/removal-limits.ts';
import type { IntentAction, RemovalBar, RemovalOutcome } from '../domain/removal.ts';
import type { RememberedIdentity } from '../domain/verdict.ts';
import type { FindingRecord } from './finding-ledger.ts';
import type { CatalogKey } from './records.ts';

export interface Intent {
  readonly id: string;
  readonly catalog: CatalogKey;
  readonly action: IntentAction;
  readonly finding: string;
  readonly entity: string;
  readonly kind: EntityKind;
  readonly path: Path;
  /** The new name, where the registration is to be re-pointed. */
  readonly movedTo?: Path;
  readonly version: string;
  readonly digest: string;
  readonly actor: Actor;
  readonly round: string;
  readonly openedAt: number;
  readonly actBefore: number;
}

/** What the removal loop should do next. */
export type NextStep =
  | { readonly step: 'restore'; readonly restore: string; readonly path: Path }
  | { readonly step: 'settle'; readonly intent: Intent }
  | { readonly step: IntentAction; readonly finding: string; readonly path: Path; readonly kind: EntityKind }
  /** Nothing to do before `lookAgainAt`, if that is set, or before something happens. */
  | { readonly step: 'wait'; readonly why: string; readonly lookAgainAt?: number; readonly open: number }
  /** No finding is open and no intent either. */
  | { readonly step: 'done' };

/** A settled intent: what was done, or why it was not. */
export interface RemovalRecord {
  readonly id: string;
  readonly catalog: CatalogKey;
  readonly action: IntentAction;
  readonly finding: string;
  readonly entity: string;
  readonly kind: EntityKind;
  readonly path: Path;
  readonly movedTo?: Path;
  readonly actor: Actor;
  readonly outcome: RemovalOutcome;
  readonly reason: string;
  readonly entities: number;
  readonly evidence: string;
  readonly at: number;
}

export interface RemovalLedger {
  /** Looks at one catalog; changes nothing. */
  next(catalog: CatalogKey, now: number): Promise<NextStep>;
  /** One transaction: locks catalog, finding and decision, asks the bars of the domain, and inserts the intent. */
  openIntent(input: {
    readonly id: string;
    readonly catalog: CatalogKey;
    readonly action: IntentAction;
    readonly finding: string;
    readonly now: number;
    readonly actBefore: number;
    readonly exclusive: boolean;
  }): Promise<
    | { readonly answer: 'opened'; readonly intent: Intent; readonly finding: FindingRecord }
    | { readonly answer: 'barred'; readonly bar: RemovalBar | 'intent-open' }
  >;
  /** Saves what would be lost, before anything is sent. Secrets are never among it. */
  saveAttachments(
    intent: string,
    entities: readonly {
      readonly entity: string;
      readonly kind: EntityKind;
      readonly path: Path;
      readonly version: string;
      readonly body: Attachments | 'unseen';
    }[],
  ): Promise<void>;
  /**
   * What was judged inside a container, for the conditional removal: by the round of the open intent on it, which a
   * newer published one must not replace, or by the published round where no intent is open on it.
   */
  judgedInside(
    catalog: CatalogKey,
    container: Path,
  ): Promise<
    readonly { readonly id: string; readonly version: string; readonly kind: EntityKind; readonly path: Path }[]
  >;
  /** Whom earlier rounds saw behind these entities. */
  identitiesOf(catalog: CatalogKey, entities: readonly string[]): Promise<ReadonlyMap<string, RememberedIdentity>>;
  openIntentOf(catalog: CatalogKey): Promise<Intent | undefined>;
  /**
   * One transaction: outcome on the intent, removal row, finding (and everything it carried) closed or left open,
   * decision consumed, voided or kept, and the stop, all by `outcomeRules`; `tooManyPresents` stops the loop. `unknown`
   * leaves the intent open. A settled intent is left as it is and its outcome answered.
   */
  settle(input: {
    readonly intent: string;
    readonly outcome: RemovalOutcome;
    readonly reason: string;
    readonly entities: number;
    readonly now: number;
  }): Promise<RemovalRecord | undefined>;
  /** Newest first. */
  page(query: {
    readonly catalog: CatalogKey;
    readonly after?: { readonly at: number; readonly id: string };
    readonly limit: number;
  }): Promise<readonly RemovalRecord[]>;
  /** Registrations that went, as the limits of the policy count them. */
  removed(catalog: CatalogKey, now: number): Promise<Removed>;
  removal(id: string): Promise<RemovalRecord | undefined>;
}
