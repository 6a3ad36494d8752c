import { until } from '../support/until.ts';
import { callsTo } from './api-calls.ts';
import type { Deployment } from './deployment.ts';
import { roundPhases, type RoundPhase } from './phases.ts';
import type { Told } from './outage.ts';

const patienceMs = 240_000;
/** Shorter than the time-outs of what stands still meanwhile. */
export const meetMs = 18_000;

/** A round brought to one phase, and what becomes of it. */
export interface RoundAtPhase {
  readonly isMet: () => boolean;
  release(): void;
  /** Waits until it has ended, and until one after it is published where it was not. */
  goesOn(since: number): Promise<Told>;
}

/** Starts a round and lets it run into its phase. The catalog's name is that of the phase. */
export async function roundAt(at: Deployment, phase: RoundPhase): Promise<RoundAtPhase> {
  const catalog = phase;
  const calls = callsTo(() => at.api, 'lake', catalog);
  const firstCheck = phase === 'opening' ? undefined : roundPhases.checking(at, { catalog, roundId: '', entity: '' });
  const opening = phase === 'opening' ? roundPhases.opening(at, { catalog, roundId: '', entity: '' }) : undefined;
  const { roundId } = await calls.startRound();
  let held = firstCheck ?? opening;
  if (firstCheck !== undefined && phase !== 'checking') {
    await until(`the round of ${catalog} asks its source`, meetMs, firstCheck.isMet);
    held = roundPhases[phase](at, { catalog, roundId, entity: '' });
    firstCheck.release();
  }
  const stateOf = async (id: string): Promise<string> => {
    const [row] = await at.ledger(`select state from rounds where id = '${id}'`);
    return typeof row?.['state'] === 'string' ? row['state'] : 'running';
  };
  const end = async (id: string): Promise<string> => {
    let state = 'running';
    await until(
      `the round of ${catalog} ends`,
      patienceMs,
      async () => {
        state = await stateOf(id);
        return state !== 'running';
      },
      200,
    );
    return state;
  };
  return {
    isMet: () => held?.isMet() ?? false,
    release: () => held?.release(),
    async goesOn(since) {
      const states = [await end(roundId)];
      while (states.at(-1) !== 'published' && states.length < 3)
        states.push(await end((await calls.startRound()).roundId));
      const seconds = (performance.now() - since) / 1_000;
      return { what: 'round', phase, became: states.join(', then '), seconds };
    },
  };
}
