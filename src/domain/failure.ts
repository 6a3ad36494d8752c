/** Every way in which asking or acting can fail, by who can mend it. */
export type FailureType =
  | 'SourceUnreachable'
  | 'SourceUnavailable'
  | 'SourceBusy'
  | 'SourceAccessDenied'
  | 'SourceProtocolError'
  | 'ProbeUntrusted'
  | 'IncompleteBatch'
  | 'RegistryUnreachable'
  | 'RegistryAccessDenied'
  | 'RegistryProtocolError'
  | 'SnapshotIncomplete'
  | 'LedgerUnavailable'
  | 'InvalidRequest'
  | 'RoundSuperseded'
  | 'Internal';

export interface FailureRule {
  /** Whether asking again can help. Temporal alone does the asking. */
  readonly retry: boolean;
  /** What the round becomes when attempts are exhausted. */
  readonly round: 'unreachable' | 'incomplete' | 'failed';
  /** Ordinary enough to stay out of failure metrics. */
  readonly benign: boolean;
  readonly when: string;
  readonly mend: string;
}

/** The one table of failures. `docs/failures.md` is printed from it, and one function applies it (`classifyFailure`). */
export const failureRules = {
  SourceUnreachable: {
    retry: true,
    round: 'unreachable',
    benign: false,
    when: 'no connection: refused, name not resolved, TLS failed, silent peer, an answer that is not the source’s own',
    mend: 'Check that the source runs and that host, port and TLS settings of the catalog are right.',
  },
  SourceUnavailable: {
    retry: true,
    round: 'unreachable',
    benign: false,
    when: 'the source answers but cannot serve: starting, stopping, recovering, connection reset, statement cancelled',
    mend: 'Wait, or look at the source’s own log; the next round asks again.',
  },
  SourceBusy: {
    retry: true,
    round: 'unreachable',
    benign: true,
    when: 'the source asks for patience: too many connections, throttled, lock time-out',
    mend: 'Lower reconcile.probesInFlight or raise the source’s limits.',
  },
  SourceAccessDenied: {
    retry: false,
    round: 'unreachable',
    benign: false,
    when: 'wrong password, missing role or privilege, no matching access rule, or an answer that means missing or forbidden',
    mend: 'Give the configured principal the right to connect and to see the catalog tables, then run a round.',
  },
  SourceProtocolError: {
    retry: false,
    round: 'unreachable',
    benign: false,
    when: 'an answer that does not fit its shape, or another database than the configured one',
    mend: 'Check that the address leads to the configured kind of source and to the configured database.',
  },
  ProbeUntrusted: {
    retry: false,
    round: 'unreachable',
    benign: false,
    when: 'a control question was answered wrongly, so that no other answer can be believed',
    mend: 'Look for a proxy, a filtered view or a wrong principal between the reconciler and the source.',
  },
  IncompleteBatch: {
    retry: true,
    round: 'incomplete',
    benign: false,
    when: 'fewer answers than questions',
    mend: 'If it stays, report it with the catalog’s provider and version.',
  },
  RegistryUnreachable: {
    retry: true,
    round: 'failed',
    benign: false,
    when: 'the registry does not answer',
    mend: 'Check that the registry runs and that its address is right.',
  },
  RegistryAccessDenied: {
    retry: false,
    round: 'failed',
    benign: false,
    when: 'the registry refuses the configured principal',
    mend: 'Give the principal the right to list and to drop registrations.',
  },
  RegistryProtocolError: {
    retry: false,
    round: 'failed',
    benign: false,
    when: 'the registry’s answer does not fit its shape',
    mend: 'Check the registry’s version against docs/registries.md.',
  },
  SnapshotIncomplete: {
    retry: true,
    round: 'incomplete',
    benign: false,
    when: 'registrations were listed twice or fewer than counted, or the listing broke off',
    mend: 'Nothing was judged. The next round lists again.',
  },
  LedgerUnavailable: {
    retry: true,
    round: 'failed',
    benign: false,
    when: 'our own database does not answer',
    mend: 'Bring the ledger’s PostgreSQL back; work goes on by itself.',
  },
  InvalidRequest: {
    retry: false,
    round: 'failed',
    benign: false,
    when: 'an input or a setting that cannot be right, such as a catalog that no metalake has',
    mend: 'Correct what the message names.',
  },
  RoundSuperseded: {
    retry: false,
    round: 'failed',
    benign: true,
    when: 'a newer round of the same catalog closed this one',
    mend: 'Nothing: the newer round does the work.',
  },
  Internal: {
    retry: true,
    round: 'failed',
    benign: false,
    when: 'anything that no other row describes',
    mend: 'Report it with the log lines of the round.',
  },
} as const satisfies Record<FailureType, FailureRule>;

/**
 * The one error that ports throw: which row of the table applies, and the structured code that said so. Its message is
 * shown to people and kept in history, so it never holds a secret.
 */
export class ReconcilerFailure extends Error {
  override readonly name = 'ReconcilerFailure';
  readonly type: FailureType;
  readonly code: string;
  /** How long the other side asked us to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(
    type: FailureType,
    code: string,
    message: string,
    options: { readonly cause?: unknown; readonly retryAfterMs?: number } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.type = type;
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
  }
}
