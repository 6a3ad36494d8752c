import { runStatements } from './demo-connection.ts';
import { sourcedPlans } from './plans.ts';
import type { DemoSources } from './start-demo-sources.ts';

/**
 * Changes the sources behind the registry's back, with SQL and nothing else. Once in the life of a data folder, and only
 * after a round that saw everything: without it nobody could tell a renamed object from a dropped one.
 */
export async function makeDrift({ state, connections }: DemoSources): Promise<void> {
  if (!state.has('baseline-round')) throw new Error('the drift is made after a round that saw everything');
  if (state.has('drifted')) return;
  for (const { name, drift } of sourcedPlans) await runStatements(connections[name], drift);
  await state.reach('drifted');
}
