/** A token bucket as plain data, so that a workflow can carry it through a renewal. */
export interface Bucket {
  readonly tokens: number;
  readonly at: number;
}

export interface Pace {
  /** Tokens a second in the long run. */
  readonly perSecond: number;
  /** What may gather while nothing is taken, at least one. */
  readonly burst: number;
}

export function fullBucket(pace: Pace, now: number): Bucket {
  return { tokens: Math.max(1, pace.burst), at: now };
}

function filled(bucket: Bucket, pace: Pace, now: number): Bucket {
  const gained = (Math.max(0, now - bucket.at) / 1_000) * pace.perSecond;
  return { tokens: Math.min(Math.max(1, pace.burst), bucket.tokens + gained), at: Math.max(now, bucket.at) };
}

/** Milliseconds until a token can be taken; 0 where one is there. */
export function waitForToken(bucket: Bucket, pace: Pace, now: number): number {
  const missing = 1 - filled(bucket, pace, now).tokens;
  // The quotient may leave a rest too small to matter; without the tolerance a timer could fire one tick too early.
  return missing <= 1e-9 ? 0 : Math.ceil((missing / pace.perSecond) * 1_000);
}

/** Takes one token; call it only when {@link waitForToken} is 0. */
export function takeToken(bucket: Bucket, pace: Pace, now: number): Bucket {
  const { tokens, at } = filled(bucket, pace, now);
  return { tokens: Math.max(0, tokens - 1), at };
}
