import type { Actor } from '../domain/actor.ts';
import type { Blocker } from '../domain/containers.ts';
import type { DecisionRequest, RefusalReason } from '../domain/decision.ts';
import type { FindingMove, Standing } from '../domain/finding.ts';
import type { HoldReason, RoundTally } from '../domain/guard.ts';
import type { RowRange } from '../domain/lanes.ts';
import type { Path } from '../domain/path.ts';
import type { Policy } from '../domain/policy.ts';
import type { Attachments, EntityKind } from '../domain/registration.ts';
import type { RemovalBar, RemovalOutcome } from '../domain/removal.ts';
import type { Mark } from '../domain/scope.ts';
import type { Evidence, ProbeTarget, RememberedIdentity, Verdict } from '../domain/verdict.ts';
import type { CatalogState, Pause, RoundCounts, RoundReason, RoundState, RoundTrigger } from './records.ts';

/** `metalake/catalog` as a path text. */
export type CatalogKey = string;

/* ------------------------------------------------------------------------------------------------ rounds */

export interface OpenRound {
  /** The run id of the workflow; opening the same id again answers the same and changes nothing. */
  readonly id: string;
  readonly catalog: CatalogKey;
  readonly dry: boolean;
  readonly trigger: RoundTrigger;
  readonly requestedBy: Actor;
  readonly workflowId: string;
  readonly now: number;
  /** The time that the schedule meant; `now` for a round on request. */
  readonly nominalAt: number;
  /** Overrides the policy's interval, where a cron expression makes gaps of its own. */
  readonly intervalMs?: number;
}

export interface OpenedRound {
  readonly id: string;
  readonly seq: number;
  readonly intervalMs: number;
  readonly policy: Policy;
  readonly policyVersion: number;
  /** Whether the round before this one was published (true for the very first). */
  readonly afterComplete: boolean;
  /** What the last published round looked with, and when. */
  readonly published?: { readonly id: string; readonly at: number; readonly registrations: number };
  readonly epoch?: string;
  readonly fingerprint?: string;
}

/** Objects that an earlier complete round saw present; to be asked for as controls. */
export type KnownObject = ProbeTarget;

export interface SnapshotRow {
  readonly row: number;
  readonly entity: string;
  readonly kind: EntityKind;
  readonly path: Path;
  readonly version: string;
  readonly createdAt: number;
  readonly mark: Mark;
}

export interface TargetRow extends ProbeTarget {
  readonly row: number;
  readonly remembered?: RememberedIdentity;
}

export interface VerdictRow {
  readonly row: number;
  /** As `targets` gave it, so that publishing need not look for what did not change; left out, it looks. */
  readonly remembered?: RememberedIdentity;
  readonly verdict: Verdict;
  readonly evidence: Evidence;
  readonly probedAt: number;
}

/** A registration of the snapshot with its verdict, for settling what no single answer could. */
export interface UnsettledRow extends TargetRow {
  readonly verdict: Verdict;
  readonly evidence: Evidence;
  readonly probedAt: number;
}

/** A registration that judging must look at: not simply present, or with an open finding. */
export interface JudgeRow {
  readonly entity: string;
  readonly kind: EntityKind;
  readonly path: Path;
  readonly version: string;
  readonly createdAt: number;
  readonly mark: Mark;
  /** `undefined` where it was not probed. */
  readonly verdict?: Verdict;
  readonly evidence?: string;
  /** The open finding as the last published round left it. */
  readonly before?: {
    readonly id: string;
    readonly standing: Standing;
    /** Digest of the evidence that the finding stands on. */
    readonly evidence: string;
    readonly intentOpen: boolean;
  };
}

export interface Judgement {
  readonly entity: string;
  readonly kind: EntityKind;
  readonly path: Path;
  readonly version: string;
  readonly registeredAt: number;
  readonly move: Exclude<FindingMove, { move: 'none' }>;
  /** The rest is not looked at for a `close`. */
  readonly standing: Standing;
  readonly digest: string;
  readonly evidence: string;
  readonly attachments: Attachments | 'unseen';
  readonly movedTo?: Path;
  readonly taken: boolean;
  readonly uid?: string;
  readonly carrier?: Path;
  readonly inside: number;
  readonly blocker?: Blocker;
}

export interface PublishRound {
  readonly id: string;
  readonly now: number;
  readonly hold: readonly HoldReason[];
  readonly epoch: string;
  readonly fingerprint: string;
  readonly principal: string;
}

export interface RoundRecord {
  readonly id: string;
  readonly catalog: CatalogKey;
  readonly seq: number;
  readonly dry: boolean;
  readonly trigger: RoundTrigger;
  readonly requestedBy: Actor;
  readonly workflowId: string;
  readonly state: RoundState;
  readonly reason?: RoundReason;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly counts?: RoundCounts;
  readonly hold: readonly HoldReason[];
}

/** One schema that a round's scan found absent, for the live stale report. */
export interface AbsentRow {
  readonly entity: string;
  readonly kind: EntityKind;
  readonly path: Path;
  readonly probedAt: number;
  /** First miss, from the finding where there is one. */
  readonly firstMissedAt?: number;
  /** Whether a removal with outcome removed or already-gone of this entity is on record. */
  readonly removed: boolean;
}

/** What rounds write and ask. Every method is safe to repeat with the same arguments. */
export interface RoundLedger {
  /**
   * Opens a round and closes an unfinished earlier one of the same catalog (dry scans and rounds apart) as failed.
   * Throws `RoundSuperseded` where this very round was closed meanwhile.
   */
  open(input: OpenRound): Promise<OpenedRound>;
  round(id: string): Promise<RoundRecord | undefined>;
  /** Newest first. */
  rounds(
    catalog: CatalogKey,
    page: { readonly after?: string; readonly limit: number },
  ): Promise<readonly RoundRecord[]>;
  /** Up to three objects, spread over the catalog, that the published round saw present; schemas and others mixed. */
  knownObjects(catalog: CatalogKey, limit: number): Promise<readonly KnownObject[]>;

  /** Forgets a broken-off snapshot, so that listing can start anew. */
  resetSnapshot(round: string): Promise<void>;
  /**
   * Adds rows. A row of the same number is left as it is; a second row of the same
   * path throws `SnapshotIncomplete`: the registry listed it twice.
   */
  appendSnapshot(round: string, rows: readonly SnapshotRow[]): Promise<void>;
  snapshotCounts(round: string): Promise<{ readonly registrations: number; readonly eligible: number }>;

  /** Rows to be probed in the range, in order of row number, with what earlier rounds remember of them. */
  targets(round: string, catalog: CatalogKey, range: RowRange, limit: number): Promise<readonly TargetRow[]>;
  /** Writes or overwrites verdicts; evidence once per digest. Fast: 5,000 rows in one statement. */
  recordVerdicts(round: string, rows: readonly VerdictRow[]): Promise<void>;
  /** Rows whose verdict waits for its parent's (`parent-absent`), after a row number. Shorter paths may come later. */
  waitingForParent(round: string, catalog: CatalogKey, after: number, limit: number): Promise<readonly UnsettledRow[]>;
  /** Absent rows with a remembered identity, after a row number. */
  absentWithIdentity(
    round: string,
    catalog: CatalogKey,
    after: number,
    limit: number,
  ): Promise<readonly UnsettledRow[]>;
  /** The verdict kinds of the registrations at these paths; no entry where nothing is registered or probed there. */
  verdictsAt(round: string, paths: readonly Path[]): Promise<ReadonlyMap<string, Verdict['kind']>>;
  /** Which of these paths carry a registration in the round's snapshot, as path texts. */
  registeredAt(round: string, paths: readonly Path[]): Promise<ReadonlySet<string>>;

  counts(round: string): Promise<RoundCounts>;
  /** Samples of absent rows in order of path. */
  absent(
    round: string,
    query: { readonly kind?: EntityKind; readonly after?: Path; readonly limit: number },
  ): Promise<readonly AbsentRow[]>;

  /** Kept entities are in no number but `registrations`; admitted are those of a valid override. */
  tally(round: string, now: number): Promise<RoundTally>;
  /** Paths of containers that were judged absent in this round, as path texts. */
  absentContainers(round: string): Promise<ReadonlySet<string>>;
  /** In order of path, after a path. */
  toJudge(round: string, page: { readonly after?: Path; readonly limit: number }): Promise<readonly JudgeRow[]>;
  /** Open findings whose registration is no longer in the snapshot. */
  unregistered(round: string): Promise<readonly { readonly entity: string }[]>;
  /** Everything inside a container, in order of path, after a path. */
  inside(
    round: string,
    container: Path,
    page: { readonly after?: Path; readonly limit: number },
  ): Promise<readonly { readonly entity: string; readonly version: string; readonly path: Path }[]>;
  /** The first registration inside that keeps its container registered; see design.md §5 rule 7. */
  firstBlocker(
    round: string,
    container: Path,
    rule: { readonly now: number; readonly minimumAgeMs: number },
  ): Promise<Blocker | undefined>;
  recordJudgements(round: string, judgements: readonly Judgement[]): Promise<void>;

  /**
   * One transaction: applies the judgements to findings (once, however often it is called), voids decisions whose
   * evidence changed, closes findings, remembers identities of what was seen present, sets the catalog's published
   * round, epoch, hold and state, clears a stop, ends the round, writes transitions and audit. Throws
   * `RoundSuperseded` where the round is no longer the running one.
   */
  publish(input: PublishRound): Promise<RoundCounts>;
  /** Ends a round that publishes nothing and sets the catalog's state (dry scans leave it alone). */
  end(input: {
    readonly id: string;
    readonly state: Exclude<RoundState, 'running' | 'published'>;
    readonly reason?: RoundReason;
    readonly now: number;
  }): Promise<RoundRecord>;
  /** Deletes snapshots and verdicts that nobody reads any more, at most `limit` rows; says whether more are left. */
  tidy(catalog: CatalogKey, limit: number): Promise<{ readonly more: boolean }>;
}

/* ------------------------------------------------------------------------------------------------ findings */

/** What a person is shown of a decision. */
export interface DecisionRecord {
  readonly id: string;
  readonly finding: string;
  readonly action: DecisionRequest['action'];
  readonly actor: Actor;
  readonly reason?: string;
  readonly at: number;
  readonly digest: string;
  readonly expiresAt?: number;
  readonly keepUntil?: number;
  readonly state: 'active' | 'void' | 'consumed' | 'expired';
  readonly stateWhy?: string;
}

export interface FindingRecord {
  readonly id: string;
  readonly catalog: CatalogKey;
  readonly entity: string;
  readonly kind: EntityKind;
  readonly path: Path;
  readonly version: string;
  readonly registeredAt: number;
  readonly state: 'open' | 'closed';
  readonly closedWhy?: string;
  readonly standing: Standing;
  readonly digest: string;
  readonly evidence: Evidence;
  readonly attachments: Attachments | 'unseen';
  readonly movedTo?: Path;
  readonly taken: boolean;
  readonly carrier?: Path;
  readonly inside: number;
  readonly blocker?: Blocker;
  readonly movedBy: string;
  readonly openedAt: number;
  readonly updatedAt: number;
  /** The decision in force, if any: a valid approval or rejection of exactly this evidence, or a keep. */
  readonly decision?: DecisionRecord;
}

export interface FindingQuery {
  readonly catalog: CatalogKey;
  readonly state?: 'open' | 'closed';
  readonly kind?: EntityKind;
  readonly verdict?: Standing['verdict'];
  /** The last finding of the page before. */
  readonly after?: { readonly path: Path; readonly id: string };
  readonly limit: number;
}

export interface FindingLedger {
  /** In order of path and id. */
  page(query: FindingQuery, now: number): Promise<readonly FindingRecord[]>;
  count(
    catalog: CatalogKey,
    now: number,
  ): Promise<{ readonly open: number; readonly due: number; readonly approved: number }>;
  finding(id: string, now: number): Promise<FindingRecord | undefined>;
  /** The open finding at a path, for commands that name a path. */
  openAt(catalog: CatalogKey, path: Path, now: number): Promise<FindingRecord | undefined>;
  history(id: string): Promise<
    readonly {
      readonly at: number;
      readonly round?: string;
      readonly what: string;
      readonly detail: Record<string, unknown>;
    }[]
  >;
}

/* ----------------------------------------------------------------------------------------------- decisions */

export type DecisionAnswer =
  | { readonly findingId: string; readonly answer: 'accepted'; readonly decisionId: string; readonly repeated: boolean }
  | { readonly findingId: string; readonly answer: 'refused'; readonly reason: RefusalReason; readonly hint: string };

/** What became of a wish to let held findings go. */
export type OverrideAnswer =
  /** `admits` says how many findings it covers; a repeated id answers as the first time. */
  | { readonly answer: 'created'; readonly id: string; readonly admits: number }
  | { readonly answer: 'refused'; readonly reason: 'not-held' | 'nothing-held' | 'expiry-in-the-past' };

export interface DecideInput {
  readonly catalog: CatalogKey;
  readonly items: readonly DecisionRequest[];
  readonly actor: Actor;
  readonly reason?: string;
  readonly requestKey: string;
  readonly now: number;
  readonly notAfter: number;
}

export interface DecisionLedger {
  /**
   * Decides each item in one transaction, by `decisionRefusal` of the domain, under the findings' locks. The same key
   * for the same finding answers as the first time, and is refused where it now asks for something else. An accepted
   * decision replaces an earlier active one on that finding, and a keep of its entity that an earlier finding left.
   * Refusals are audited as well.
   */
  decide(input: DecideInput): Promise<readonly DecisionAnswer[]>;
  /** Newest first. */
  decisions(
    catalog: CatalogKey,
    page: { readonly finding?: string; readonly limit: number },
    now: number,
  ): Promise<readonly DecisionRecord[]>;
  /**
   * Admits the findings that are held now, by id and digest, up to a count of registrations (whatever is inside a
   * container counts), until it expires. The caller gives the id, so that a repeated wish admits nothing twice.
   */
  override(input: {
    readonly id: string;
    readonly catalog: CatalogKey;
    readonly actor: Actor;
    readonly reason: string;
    readonly maxCount: number;
    readonly expiresAt: number;
    readonly now: number;
  }): Promise<OverrideAnswer>;
  pause(catalog: CatalogKey, pause: Pause, actor: Actor): Promise<void>;
  /** Also clears a stop of the removal loop. */
  resume(catalog: CatalogKey, actor: Actor, now: number): Promise<void>;
  /** Accepts what now answers behind the catalog's address: forgets the fingerprint, epoch and identities. */
  acceptSource(catalog: CatalogKey, actor: Actor, reason: string, now: number): Promise<void>;
}

/* ------------------------------------------------------------------------------------------------ removals */

export interface Intent {
  readonly id: string;
  readonly catalog: CatalogKey;
  readonly finding: string;
  readonly entity: string;
  readonly kind: EntityKind;
  readonly path: Path;
  readonly version: string;
  readonly digest: string;
  readonly actor: Actor;
  readonly round: string;
  readonly openedAt: number;
  readonly actBefore: number;
}

/** What the removal loop should do next. */
export type NextStep =
  | { readonly step: 'settle'; readonly intent: Intent }
  | { readonly step: 'remove'; readonly finding: string; readonly path: Path; readonly kind: EntityKind }
  /** Nothing to do before `lookAgainAt`, if that is set, or before something happens. */
  | { readonly step: 'wait'; readonly why: string; readonly lookAgainAt?: number; readonly open: number }
  /** No finding is open and no intent either. */
  | { readonly step: 'done' };

export interface RemovalRecord {
  readonly id: string;
  readonly catalog: CatalogKey;
  readonly finding: string;
  readonly entity: string;
  readonly kind: EntityKind;
  readonly path: Path;
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
  /** One transaction: locks catalog, finding and decision, asks `removalBar` of the domain, and inserts the intent. */
  openIntent(input: {
    readonly id: string;
    readonly catalog: CatalogKey;
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
  removal(id: string): Promise<RemovalRecord | undefined>;
}

/* ------------------------------------------------------------------------------------- catalogs and policy */

export interface CatalogRecord {
  readonly key: CatalogKey;
  readonly metalake: string;
  readonly name: string;
  readonly state: CatalogState;
  readonly stateReason?: RoundReason;
  readonly stateSince: number;
  readonly hold: readonly HoldReason[];
  readonly pause?: Pause;
  readonly stop?: { readonly reason: string; readonly at: number };
  readonly published?: { readonly id: string; readonly at: number };
  readonly epoch?: string;
  /** The system that was accepted as this catalog's source. */
  readonly fingerprint?: string;
}

export interface CatalogLedger {
  /** Creates the row where there is none. */
  ensure(metalake: string, name: string, now: number): Promise<CatalogRecord>;
  catalog(key: CatalogKey): Promise<CatalogRecord | undefined>;
  catalogs(): Promise<readonly CatalogRecord[]>;
  /** The effective policy; the domain's default, report-only, where none was ever applied. */
  policy(key: CatalogKey): Promise<{ readonly version: number; readonly policy: Policy; readonly intervalMs: number }>;
  /**
   * Writes a new version where it differs from the effective one, audited; voids approvals where the new one is
   * stricter (`isStricter`). Says whether it wrote.
   */
  applyPolicy(input: {
    readonly catalog: CatalogKey;
    readonly policy: Policy;
    readonly intervalMs: number;
    readonly actor: Actor;
    readonly now: number;
  }): Promise<{ readonly version: number; readonly changed: boolean }>;
}

export interface AuditEntry {
  readonly id: number;
  readonly at: number;
  readonly catalog?: CatalogKey;
  readonly actor: Actor;
  readonly action: string;
  readonly subject: string;
  readonly detail: Record<string, unknown>;
}

export interface AuditLedger {
  /** Oldest first, after an id. */
  page(query: {
    readonly catalog?: CatalogKey;
    readonly after?: number;
    readonly limit: number;
  }): Promise<readonly AuditEntry[]>;
}

/** Our database: all truth that workflows must not hold. Throws `LedgerUnavailable` when it cannot be reached. */
export interface Ledger {
  readonly rounds: RoundLedger;
  readonly findings: FindingLedger;
  readonly decisions: DecisionLedger;
  readonly removals: RemovalLedger;
  readonly catalogs: CatalogLedger;
  readonly audit: AuditLedger;
  /** Answers when the database does; for readiness. */
  ping(): Promise<void>;
}
