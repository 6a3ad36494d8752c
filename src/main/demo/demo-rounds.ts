import { setTimeout as pause } from 'node:timers/promises';
import { catalogAddress } from '../../api/addresses.ts';
import { RoundStarted } from '../../api/schemas/reconcile.ts';
import { RoundDetail } from '../../api/schemas/round.ts';
import { type ApiClient, ApiRefusal } from '../api-client.ts';
import { demoMetalake } from './plans.ts';
import type { DemoCatalog } from './start-demo-sources.ts';

/** A round of forty registrations takes about a second, most of it spent between Temporal and the worker. */
const lookEveryMs = 100;
/** A server that was just started refuses for a moment; one that still does after that is not coming. */
const patienceMs = 60_000;

/** A round of the demo that came to no conclusion where it had to. */
export class DemoRoundFailed extends Error {
  override readonly name = 'DemoRoundFailed';
}

/** Runs a round of one catalog over the API and waits for its end, whatever that is. */
export async function runRound(api: ApiClient, catalog: DemoCatalog, signal: AbortSignal): Promise<RoundDetail> {
  for (;;) {
    const started = await patiently(signal, () => start(api, catalog));
    const ended = await endOf(api, started.round, signal);
    // One that ran already may have begun before what this one is to see.
    if (!started.joined) return ended;
  }
}

/** The same, and nothing but a published round will do. */
export async function runPublishedRound(api: ApiClient, catalog: DemoCatalog, signal: AbortSignal): Promise<void> {
  const { state, record } = await runRound(api, catalog, signal);
  if (state === 'published') return;
  const because = record?.reason === undefined ? '' : ` ${record.reason.message}`;
  throw new DemoRoundFailed(`The round of ${demoMetalake}/${catalog} ended as ${state}.${because}`);
}

async function start(api: ApiClient, catalog: DemoCatalog): Promise<RoundStarted> {
  const address = `${catalogAddress({ metalake: demoMetalake, catalog })}/reconcile`;
  // Asked not to wait, it always answers with the address of the round.
  const { body } = await api.post(address, RoundStarted, { body: {}, headers: { prefer: 'wait=0' } });
  return body;
}

async function endOf(api: ApiClient, address: string, signal: AbortSignal): Promise<RoundDetail> {
  for (;;) {
    const round = await patiently(signal, () => lookAt(api, address));
    if (round !== undefined && round.state !== 'running') return round;
    await pause(lookEveryMs, undefined, { signal });
  }
}

/** A round is on record once a worker has opened it; before that its address is not known yet. */
async function lookAt(api: ApiClient, address: string): Promise<RoundDetail | undefined> {
  try {
    return await api.get(address, RoundDetail);
  } catch (error) {
    if (error instanceof ApiRefusal && error.problem.status === 404) return undefined;
    throw error;
  }
}

/** Asks again while the API says that something behind it is not there yet. */
async function patiently<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  const until = performance.now() + patienceMs;
  for (;;) {
    signal.throwIfAborted();
    try {
      return await ask();
    } catch (error) {
      const passing = error instanceof ApiRefusal && (error.problem.status === 503 || error.problem.status === 504);
      if (!passing || performance.now() > until) throw error;
    }
    await pause(lookEveryMs, undefined, { signal });
  }
}
