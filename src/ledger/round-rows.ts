import type { Actor } from '../domain/actor.ts';
import type { Blocker } from '../domain/containers.ts';
import type { FindingMove, Standing } from '../domain/finding.ts';
import type { HoldReason, RoundTally } from '../domain/guard.ts';
import type { Path } from '../domain/path.ts';
import type { Policy } from '../domain/policy.ts';
import type { Attachments, EntityKind } from '../domain/registration.ts';
import type { Mark } from '../domain/scope.ts';
import type { Evidence, ProbeTarget, RememberedIdentity, Verdict } from '../domain/verdict.ts';
import type { CatalogKey, RoundCounts, RoundReason, RoundState, RoundTrigger } from './records.ts';

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
  readonly published?: {
    readonly id: string;
    readonly at: number;
    readonly registrations: number;
    readonly policy: Policy;
  };
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
  readonly location?: string;
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
  /** Absent, and removed by us before. */
  readonly returned: boolean;
  /** The open finding as the last published round left it. */
  readonly before?: {
    readonly id: string;
    readonly standing: Standing;
    /** Digest of the evidence that the finding stands on. */
    readonly evidence: string;
    /** Where a renamed object lived, and whether that name was registered. */
    readonly movedTo?: Path;
    readonly taken: boolean;
    readonly intentOpen: boolean;
  };
}

/** A registration inside an absent container. */
export interface InsideRow extends Pick<JudgeRow, 'entity' | 'version' | 'path'> {
  /** Removed by us before. */
  readonly returned: boolean;
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
  /** What the guard went by; a round that was judged by an earlier version of us does not tell. */
  readonly guard?: RoundTally;
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
