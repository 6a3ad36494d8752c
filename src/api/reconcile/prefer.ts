/** How long a caller waits who does not say: what people sit through, and shorter than any proxy's patience. */
const defaultWaitSeconds = 30;
/** A connection that waits longer than two minutes is taken for dead by something on its way. */
const maxWaitSeconds = 120;

/** A caller who was told to ask again, and does so sooner, finds the same. */
export const askAgainSeconds = 2;

/** Sockets must stay open that long, and a little more to send the answer. */
export const longestWaitMs = maxWaitSeconds * 1_000;

/**
 * The wait that header `Prefer: wait=N` asks for (RFC 7240), in milliseconds: N in whole seconds, at most 120. Other
 * preferences, and a wait that is not a number, are ignored as the RFC wants it.
 */
export function preferredWaitMs(header: string | undefined): number {
  for (const preference of (header ?? '').split(',')) {
    const match = /^\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:;.*)?$/i.exec(preference);
    if (match !== null) return Math.min(Number(match[1]), maxWaitSeconds) * 1_000;
  }
  return defaultWaitSeconds * 1_000;
}
