import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { canonical } from '../../domain/digest.ts';
import type { RoundDetail, RoundProgress } from '../schemas/round.ts';
import { createRate } from './rate.ts';

export interface EventTimes {
  readonly lookEveryMs: number;
  /** Shorter than the patience of proxies, most of which give up a silent connection after a minute. */
  readonly heartbeatMs: number;
  readonly longestMs: number;
}

/** Somebody watches: once a second is as often as a person reads. */
export const defaultEventTimes: EventTimes = { lookEveryMs: 1_000, heartbeatMs: 15_000, longestMs: 30 * 60_000 };

export interface Watching {
  readonly look: () => Promise<RoundDetail>;
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** Aborted when nobody reads any more. */
  readonly gone: AbortSignal;
  /** Aborted when the process is about to end. */
  readonly leaving: AbortSignal;
  readonly log: FastifyBaseLogger;
}

/** The events of a round, as text of a `text/event-stream`, from a first look at it until its end. */
export async function* roundEvents(
  first: RoundDetail,
  { look, clock, gone, leaving, log }: Watching,
  { lookEveryMs, heartbeatMs, longestMs }: EventTimes,
): AsyncGenerator<string> {
  const ends = AbortSignal.any([gone, leaving]);
  const started = performance.now();
  const rate = createRate();
  let told = '';
  let toldAt = started;
  for (let seen: RoundDetail | undefined = first; ; ) {
    if (seen !== undefined && seen.state !== 'running') {
      yield event('end', seen);
      return;
    }
    const progress = seen === undefined ? unseen(first.id) : progressOf(seen);
    const now = performance.now();
    // the moment alone is no news
    const news = canonical(progress);
    if (news !== told) {
      const perSecond = rate(progress.totals?.probed, now);
      yield event('progress', { ...progress, at: clock(), ...(perSecond === undefined ? {} : { perSecond }) });
      [told, toldAt] = [news, now];
    } else if (now - toldAt >= heartbeatMs) {
      yield ': still here\n\n';
      toldAt = now;
    }
    if (now - started >= longestMs) {
      yield event('over', { why: 'the stream is as long as one may be; connect again' });
      return;
    }
    await pause(lookEveryMs, undefined, { signal: ends }).catch(() => undefined);
    if (gone.aborted) return;
    if (leaving.aborted) {
      yield event('over', { why: 'the process is about to end; connect again' });
      return;
    }
    seen = await look().catch((error: unknown) => {
      log.debug({ err: error }, 'a look at a round failed');
      return undefined;
    });
  }
}

function progressOf({ id, state, live, liveMissing }: RoundDetail): Omit<RoundProgress, 'at'> {
  return {
    id,
    state,
    ...(live === undefined ? {} : { phase: live.phase, totals: live.totals }),
    ...(liveMissing === undefined ? {} : { liveMissing }),
  };
}

/** The ledger is away, or the round is between its workflow and the ledger: what it is doing is not known. */
function unseen(id: string): Omit<RoundProgress, 'at'> {
  return { id, state: 'running', liveMissing: 'neither ledger nor worker tell of it at the moment' };
}

/** JSON has no line breaks of its own, so that it is one line of data. */
function event(name: 'progress' | 'end' | 'over', data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
