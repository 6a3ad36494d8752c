/** Temporal or its workers cannot be reached, and nothing was sent. */
export class GatewayUnavailable extends Error {
  override readonly name = 'GatewayUnavailable';
  readonly retryAfterSeconds: number;
  /** Who was not there. */
  readonly missing: 'temporal' | 'worker';

  constructor(message: string, options: Options = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.retryAfterSeconds = options.retryAfterSeconds ?? 5;
    this.missing = options.missing ?? 'temporal';
  }
}

interface Options {
  readonly cause?: unknown;
  readonly retryAfterSeconds?: number;
  readonly missing?: 'temporal' | 'worker';
}
