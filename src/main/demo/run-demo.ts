import type { ApiClient } from '../api-client.ts';
import { runPublishedRound, runRound } from './demo-rounds.ts';
import { makeDrift } from './make-drift.ts';
import { type DemoAddresses, nextSteps } from './next-steps.ts';
import { registeredPlans, sourcedPlans } from './plans.ts';
import type { DemoSources } from './start-demo-sources.ts';
import { tellFindings } from './tell-findings.ts';

export interface DemoRun {
  /** Of the API that runs in this process, as whoever owns the demo. */
  readonly api: ApiClient;
  readonly addresses: DemoAddresses;
  readonly sources: DemoSources;
  /** A line of the result. */
  readonly say: (line: string) => void;
  /** What is being done now. */
  readonly progress: (what: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Shows what the product does: a round that learns what there is, then the drift, then the two rounds that it takes
 * until a removal may be approved; and then what was found and what to do next. Each stage happens once in the life of a
 * data folder, and a start that was cut short goes on where it was. Later starts tell how things stand.
 */
export async function runDemo(run: DemoRun): Promise<void> {
  const { api, sources, say, progress, signal } = run;
  const { state } = sources;
  if (!state.has('rounds-done')) {
    // Nobody waits for it: that its source is given time to answer must not keep the others.
    let waiting = true;
    const offline = runRound(api, 'offline', signal)
      .catch(() => undefined)
      .finally(() => {
        waiting = false;
      });
    if (!state.has('baseline-round')) {
      progress('Round 1 of 3: learning what the sources hold …');
      await publishedRounds(run);
      await state.reach('baseline-round');
    }
    if (!state.has('drifted')) {
      progress('Dropping, renaming and recreating objects at the sources …');
      await makeDrift(sources);
    }
    progress('Round 2 of 3: comparing …');
    await publishedRounds(run);
    progress('Round 3 of 3: making sure …');
    await publishedRounds(run);
    if (waiting) progress('Waiting until the source of demo/offline is given up …');
    await offline;
    signal.throwIfAborted();
    await state.reach('rounds-done');
  }
  const told = [];
  for (const { name } of registeredPlans) told.push(await tellFindings(api, name));
  for (const { lines } of told) for (const line of ['', ...lines]) say(line);
  for (const line of ['', ...nextSteps(told, run.addresses)]) say(line);
}

async function publishedRounds({ api, signal }: DemoRun): Promise<void> {
  await Promise.all(sourcedPlans.map(({ name }) => runPublishedRound(api, name, signal)));
}
