import type { ControlAnswers } from '../domain/controls.ts';
import type { Path } from '../domain/path.ts';
import type { ObjectKind } from '../domain/registration.ts';
import type { Evidence, Located, ProbeAnswer, ProbeTarget } from '../domain/verdict.ts';

/** What a kind of source can be relied on for. */
export interface SourceTraits {
  /** The kind of source, as it stands in evidence: `postgresql`. */
  readonly source: string;
  /** Questions per call. */
  readonly batchSize: number;
  /** Whether a missing container proves that what was inside is gone as well (PostgreSQL: yes; Iceberg: no). */
  readonly parentImpliesChild: boolean;
  /** Whether objects carry an identity that survives a rename and not a re-creation. */
  readonly stableIdentity: boolean;
}

/** Which system really answered, and for whom. */
export interface SourceIdentity {
  /** Tells this system from any other behind the same address: server and database. Never a secret. */
  readonly fingerprint: string;
  /** The principal that the source took us for. */
  readonly principal: string;
}

export interface SourceCheck extends SourceIdentity {
  readonly controls: ControlAnswers;
}

/** What the source lets our principal do and see, in words. */
export interface SourceRights {
  /** Rights that asking does not take: `superuser`. */
  readonly excess: readonly string[];
  /** How much it sees: `12 schemas, 340 tables and views`. */
  readonly sees: string;
}

/** One batch of answers; `answers[i]` belongs to `targets[i]`, and there are exactly as many. */
export interface ProbeBatch extends SourceIdentity {
  readonly answers: readonly ProbeAnswer[];
  /** The same control questions, asked in the same session and, where the source can, in the same statement. */
  readonly controls: ControlAnswers;
  /** What was asked and how far it can be believed; `code`, `principal` and `fingerprint` are added per answer. */
  readonly asked: Pick<Evidence, 'asked' | 'strength'>;
}

export interface ListedObject {
  readonly path: Path;
  readonly found: ObjectKind;
  readonly uid?: string;
  /** Where it is stored, by a source that finds objects by their place; it is registered with the object. */
  readonly location?: string;
}

/**
 * The system that really holds the objects of one catalog, asked object by object. Implementations classify on
 * structured codes only, never on free text, and never turn an error into a shorter answer.
 *
 * Every method that cannot answer throws a `ReconcilerFailure` of one of the `Source…` types, `ProbeUntrusted` or
 * `IncompleteBatch`; what concerns a single object is an `unknown` answer instead. None of them retries: Temporal does.
 * None changes anything at the source. A call that is cancelled rejects with the signal's reason, at once.
 */
export interface Source {
  readonly traits: SourceTraits;

  /**
   * Whether the source answers, the credentials work, and the controls answer as they must.
   * @param known objects that an earlier round saw present, at most three
   */
  check(known: readonly ProbeTarget[], signal: AbortSignal): Promise<SourceCheck>;

  /** One existence question per target, in one call of at most `traits.batchSize`. */
  probe(targets: readonly ProbeTarget[], known: readonly ProbeTarget[], signal: AbortSignal): Promise<ProbeBatch>;

  /** Where the identities are now; one that is nowhere has no entry, one in two places has two, one asked twice has one. */
  identify(uids: readonly string[], signal: AbortSignal): Promise<readonly Located[]>;

  /**
   * What the source lists, containers before their contents. Only for registering what is not registered yet:
   * a name that is missing here means nothing.
   */
  list(signal: AbortSignal): AsyncIterable<ListedObject>;

  /** For a person who looks after the set-up; absent where the source does not tell. */
  rights?(signal: AbortSignal): Promise<SourceRights>;

  close(): Promise<void>;
}
