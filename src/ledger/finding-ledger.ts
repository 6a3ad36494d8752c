import type { Actor } from '../domain/actor.ts';
import type { Blocker } from '../domain/containers.ts';
import type { DecisionRequest } from '../domain/decision.ts';
import type { Standing } from '../domain/finding.ts';
import type { Path } from '../domain/path.ts';
import type { Attachments, EntityKind } from '../domain/registration.ts';
import type { Evidence } from '../domain/verdict.ts';
import type { CatalogKey } from './records.ts';

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
  /** The standing keep that it follows. */
  readonly standingKeep?: string;
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
  /** Only those that a person rejected on exactly this evidence, or only the others; left out, both. */
  readonly rejected?: boolean;
  readonly kind?: EntityKind;
  readonly verdict?: Standing['verdict'];
  /** The last finding of the page before. */
  readonly after?: { readonly path: Path; readonly id: string };
  readonly limit: number;
}

/** Which findings a person wants to decide on together. */
export interface SelectionQuery {
  readonly catalog: CatalogKey;
  readonly action: DecisionRequest['action'];
  readonly kind?: EntityKind;
  readonly verdict?: Standing['verdict'];
  /** A container and everything inside. */
  readonly under?: Path;
}

export interface Selection {
  readonly count: number;
  /** Over the id and the evidence of each, in order of path and id. */
  readonly digest: string;
  readonly items: readonly { readonly findingId: string; readonly digest: string }[];
}

export interface FindingLedger {
  /** In order of path and id. */
  page(query: FindingQuery, now: number): Promise<readonly FindingRecord[]>;
  /** `open` and `due` without what is rejected. */
  count(
    catalog: CatalogKey,
    now: number,
  ): Promise<{ readonly open: number; readonly due: number; readonly approved: number; readonly rejected: number }>;
  /**
   * The open findings that the action could change: without what is rejected or kept, and what the same action was given
   * for already. All are counted and in the digest; the first `items` are named.
   */
  select(query: SelectionQuery, items: number, now: number): Promise<Selection>;
  /** How many open findings a person rejected on exactly their evidence. */
  rejected(catalog: CatalogKey): Promise<number>;
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
