import {
  CancellationScope,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { defineQuery } from '@temporalio/workflow';
import type { ReconcileActivities } from '../activities/index.ts';
import { queries, searchAttributes } from '../contract/names.ts';
import type { RoundEnd, RoundInput, RoundPhase, RoundReport, RoundResult } from '../contract/round-messages.ts';
import { checking, judging, listing, recording } from './activity-options.ts';
import { probeLanes } from './probe-lanes.ts';
import { roundEndOf } from './round-end.ts';
import { RoundProgress } from './round-progress.ts';
import { startReview } from './start-review.ts';

const reportQuery = defineQuery<RoundReport>(queries.report);

/**
 * One scan of one catalog: check, list, probe, settle, check again, judge, publish. It holds counts and cursors only;
 * everything it learns is in the ledger, and nothing it does matters before it is published.
 */
export async function reconcileRound(input: RoundInput): Promise<RoundResult> {
  const { workflowId, runId: roundId } = workflowInfo();
  const progress = new RoundProgress(input, roundId);
  setHandler(reportQuery, () => progress.report());
  const name = { metalake: input.metalake, catalog: input.catalog };
  const at = { ...name, roundId };
  const where = `${name.metalake}/${name.catalog}`;
  const record = proxyActivities<ReconcileActivities>(recording);
  const phase = (next: RoundPhase): void => {
    progress.enter(next);
    upsertSearchAttributes([{ key: searchAttributes.reconcilePhase, value: next }]);
    setCurrentDetails(progress.details());
  };
  const summarised = (summary: string) => ({ summary });

  const end = async (state: Exclude<RoundEnd, 'published'>, reason?: RoundResult['reason']): Promise<RoundResult> => {
    const ended = await CancellationScope.nonCancellable(() =>
      record.endRound.executeWithOptions({ ...recording, ...summarised(`${where}: ${state}`) }, [
        { ...at, now: Date.now(), state, ...(reason === undefined ? {} : { reason: asLedgerReason(reason) }) },
      ]),
    );
    phase('done');
    return progress.finish({ end: state, ...ended, hold: [], ...(reason === undefined ? {} : { reason }) });
  };

  try {
    phase('opening');
    const opening = { ...input, roundId, workflowId, now: Date.now() };
    const { reviewId } = await record.openRound.executeWithOptions(
      { ...recording, ...summarised(`${where}: open the round`) },
      [opening],
    );

    phase('checking');
    const { checkCatalog } = proxyActivities<ReconcileActivities>(checking);
    const before = await checkCatalog.executeWithOptions(
      { ...checking, ...summarised(`${where}: does the source answer, do the controls?`) },
      [at],
    );
    if (before.sourceChanged) return await end('source-changed', sourceChanged(where));

    phase('listing');
    const { snapshotRegistrations } = proxyActivities<ReconcileActivities>(listing);
    const listed = await snapshotRegistrations.executeWithOptions(
      { ...listing, ...summarised(`${where}: list every registration`) },
      [at],
    );
    progress.listed(listed);

    phase('probing');
    await probeLanes({ ...at, fingerprint: before.fingerprint, principal: before.principal }, listed, progress, where);

    phase('settling');
    const { settleIdentities, judgeRound } = proxyActivities<ReconcileActivities>(judging);
    await settleIdentities.executeWithOptions(
      { ...judging, ...summarised(`${where}: look for missing objects under other names`) },
      [at],
    );

    phase('checking-again');
    const after = await checkCatalog.executeWithOptions(
      { ...checking, ...summarised(`${where}: does the source still answer?`) },
      [{ ...at, before }],
    );
    if (input.dry) return await end('scanned');

    phase('judging');
    const { hold, guard } = await judgeRound.executeWithOptions({ ...judging, ...summarised(`${where}: judge`) }, [
      { ...opening, before, after, judgedAt: Date.now() },
    ]);

    phase('publishing');
    const published = await record.publishRound.executeWithOptions(
      { ...recording, ...summarised(`${where}: publish${hold.length > 0 ? `, held: ${hold.join(', ')}` : ''}`) },
      [{ ...at, now: Date.now(), hold, guard, check: after }],
    );
    if (published.open > 0) await startReview(name, reviewId, 'a round was published');
    upsertSearchAttributes([{ key: searchAttributes.staleCount, value: published.open }]);
    await record.tidyCatalog.executeWithOptions({ ...recording, ...summarised(`${where}: tidy`) }, [name]);
    phase('done');
    return progress.finish({ end: 'published', ...published, hold });
  } catch (error) {
    if (isCancellation(error)) {
      await end('cancelled', { type: 'Cancelled', code: 'cancelled', message: `The round of ${where} was cancelled.` });
      throw error;
    }
    // A round that was never opened has no record to end: whoever asked for it gets the failure itself.
    if (progress.phase === 'opening') throw error;
    const { state, reason } = roundEndOf(error, progress.phase);
    return await end(state, reason);
  }
}

function sourceChanged(where: string): NonNullable<RoundResult['reason']> {
  return {
    type: 'SourceChanged',
    code: 'fingerprint',
    message: `Another system than before answers behind the address of ${where}. Nothing is judged until a person accepts it as the source.`,
  };
}

/** The ledger's closed list of reasons; a type that came back from Temporal as text is one of ours. */
function asLedgerReason(reason: NonNullable<RoundResult['reason']>) {
  return reason as Parameters<ReconcileActivities['endRound']>[0]['reason'] & object;
}
