/** What the command line's exit codes mean; scripts rely on them. */
export const exitCodes = {
  ok: 0,
  /** Refused, failed, or not everything that was asked for. */
  refused: 1,
  /** The command line itself is wrong. */
  usage: 2,
  /** Nothing answers where the API should be. */
  unreachable: 3,
  /** The API does not know who asks, or whoever that is may not do this. */
  denied: 4,
} as const;

/** The same in words, for help and documentation. */
export const exitMeanings: Readonly<Record<ExitCode, string>> = {
  [exitCodes.ok]: 'done',
  [exitCodes.refused]: 'refused or failed',
  [exitCodes.usage]: 'wrong command line or configuration',
  [exitCodes.unreachable]: 'the API does not answer',
  [exitCodes.denied]: 'not allowed to you',
};

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The command line cannot be meant so; the message says what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command was understood and cannot be carried out. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}
