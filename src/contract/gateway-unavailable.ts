/** Temporal or its workers cannot be reached, and nothing was sent. */
export class GatewayUnavailable extends Error {
  override readonly name = 'GatewayUnavailable';
  readonly retryAfterSeconds: number;

  constructor(message: string, options: { readonly cause?: unknown; readonly retryAfterSeconds?: number } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.retryAfterSeconds = options.retryAfterSeconds ?? 5;
  }
}
