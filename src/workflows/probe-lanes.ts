import { CancellationScope, proxyActivities } from '@temporalio/workflow';
import type { ReconcileActivities } from '../activities/index.ts';
import { cutLanes, maxRanges, rangeBudgetMs, type RowRange } from '../domain/lanes.ts';
import { probing } from './activity-options.ts';
import type { RoundProgress } from './round-progress.ts';

type ProbeInput = Parameters<ReconcileActivities['probeRange']>[0];

/**
 * Asks the source about every row of the snapshot, in at most four lanes. Each activity works for some seconds and hands
 * back its cursor. The first lane that fails for good cancels the others.
 */
export async function probeLanes(
  at: Pick<ProbeInput, 'metalake' | 'catalog' | 'roundId' | 'fingerprint' | 'principal'>,
  listed: { readonly registrations: number },
  progress: RoundProgress,
  where: string,
): Promise<void> {
  const { probeRange } = proxyActivities<ReconcileActivities>(probing);
  const lanes = cutLanes(listed.registrations);
  let ranges = 0;
  const lane = async ({ from, to }: RowRange): Promise<void> => {
    for (let cursor = from; cursor < to; ) {
      const budgetMs = rangeBudgetMs(ranges);
      if (ranges >= maxRanges)
        throw new Error(`the catalog is too slow to be probed in one round (${maxRanges} ranges)`);
      ranges += 1;
      const answer = await probeRange.executeWithOptions(
        { ...probing, summary: `${where}: ask the source about rows ${cursor} to ${to - 1}` },
        [{ ...at, from: cursor, to, lanes: lanes.length, budgetMs, samples: progress.roomForSamples() }],
      );
      progress.add(answer);
      cursor = answer.cursor;
    }
  };
  const scope = new CancellationScope();
  // The first to fail is the reason; the lanes that it cancels reject as well, and not with one.
  let failure: { readonly reason: unknown } | undefined;
  await scope.run(async () => {
    const running = lanes.map(async (range) => {
      try {
        await lane(range);
      } catch (error) {
        failure ??= { reason: error };
        scope.cancel();
        throw error;
      }
    });
    // All of them end before the round goes on, so that no lane writes verdicts into a round that was ended.
    await Promise.allSettled(running);
    if (failure !== undefined) throw failure.reason;
  });
}
