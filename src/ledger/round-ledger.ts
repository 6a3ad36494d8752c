import type { Blocker } from '../domain/containers.ts';
import type { RoundTally } from '../domain/guard.ts';
import type { RowRange } from '../domain/lanes.ts';
import type { Path } from '../domain/path.ts';
import type { EntityKind } from '../domain/registration.ts';
import type { Verdict } from '../domain/verdict.ts';
import type { CatalogKey, RoundCounts, RoundReason, RoundState } from './records.ts';
import type {
  AbsentRow,
  InsideRow,
  JudgeRow,
  Judgement,
  KnownObject,
  OpenRound,
  OpenedRound,
  PublishRound,
  RoundRecord,
  SnapshotRow,
  TargetRow,
  UnsettledRow,
  VerdictRow,
} from './round-rows.ts';

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
  ): Promise<readonly InsideRow[]>;
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
