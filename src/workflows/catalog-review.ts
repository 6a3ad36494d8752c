import {
  allHandlersFinished,
  CancellationScope,
  condition,
  ContinueAsNew,
  continueAsNew,
  defineQuery,
  defineSignal,
  defineUpdate,
  log,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow';
import type { ReconcileActivities, RemovalActivities } from '../activities/index.ts';
import { queries, signals, updates } from '../contract/names.ts';
import type {
  DecideMessage,
  DecideResult,
  RemovalsReport,
  ReviewInput,
  ReviewTotals,
  StaleReport,
  WakeMessage,
} from '../contract/review-messages.ts';
import { type Bucket, fullBucket, type Pace, takeToken, waitForToken } from '../domain/pace.ts';
import { deciding, looking, removing, restoring } from './activity-options.ts';
import { approveMessage, fitsBeside, refuseDecision } from './review-inbox.ts';
import { ReviewProgress } from './review-progress.ts';

const decideUpdate = defineUpdate<DecideResult, [DecideMessage]>(updates.decide);
const approveSignal = defineSignal<[unknown]>(signals.approve);
const wakeSignal = defineSignal<[WakeMessage]>(signals.wake);
const staleReportQuery = defineQuery<StaleReport>(queries.staleReport);
const removalsQuery = defineQuery<RemovalsReport>(queries.removals);

/** Well below the server's 51,200 events and 2,000 updates a run. */
const renewAfter = { events: 8_000, messages: 500 };

/** With nothing to wait for, a look at the ledger now and then costs a few events a day. */
const longestRestMs = 6 * 60 * 60 * 1_000;

/** After an outcome that may be tried again at once; without it, one that repeats would spin. */
const breathMs = 30_000;

/**
 * Lives as long as its catalog has open findings: takes decisions, and removes what was approved or is due, one at a
 * time and at the catalog's pace. All truth is in the ledger; it can be ended at any moment and started again.
 */
export async function catalogReview(input: ReviewInput): Promise<ReviewTotals> {
  const name = { metalake: input.metalake, catalog: input.catalog };
  const where = `${name.metalake}/${name.catalog}`;
  const progress = new ReviewProgress(name, input.done);
  const ledger = proxyActivities<ReconcileActivities>(looking);
  const { removeRegistration, repointRegistration, restoreRegistration } = proxyActivities<RemovalActivities>(removing);
  let bucket: Bucket | undefined = input.bucket;
  let messages = 0;
  let wakes = 0;
  let renewing = false;
  let ending = false;
  const approvals: DecideMessage[] = [];

  const decide = async (message: DecideMessage): Promise<DecideResult> => {
    messages += 1;
    // What was accepted is carried out and answered, even if somebody cancels the review meanwhile.
    const result = await CancellationScope.nonCancellable(() =>
      ledger.recordDecisions.executeWithOptions(
        { ...deciding, summary: `${where}: ${message.items.length} decision(s) by ${message.actor.name}` },
        [{ ...name, message, now: Date.now() }],
      ),
    );
    wakes += 1;
    return result;
  };
  setHandler(decideUpdate, decide, { validator: (message) => refuseDecision(message, renewing || ending) });
  setHandler(approveSignal, async (raw) => {
    const message = approveMessage(raw, `signal/${workflowInfo().runId}/${messages}`, Date.now());
    if (message === undefined) return;
    if (renewing && fitsBeside(approvals, message)) {
      // Decided here, a steady stream of them would keep this run from ever renewing itself.
      messages += 1;
      approvals.push(message);
      return;
    }
    await decide(message);
  });
  setHandler(wakeSignal, () => {
    messages += 1;
    wakes += 1;
  });
  setHandler(staleReportQuery, () => progress.staleReport());
  setHandler(removalsQuery, () => progress.removals());

  const doing = (what: string, open?: number): void => {
    progress.doing(what, open);
    setCurrentDetails(progress.details());
  };
  const pauseFor = async (pace: Pace): Promise<void> => {
    bucket ??= fullBucket(pace, Date.now());
    const waitMs = waitForToken(bucket, pace, Date.now());
    if (waitMs > 0) {
      doing('pacing');
      await sleep(waitMs, { summary: `${where}: keep the pace` });
    }
  };
  const timeToRenew = (): boolean => {
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    return continueAsNewSuggested || historyLength > renewAfter.events || messages > renewAfter.messages;
  };

  const live = async (): Promise<ReviewTotals> => {
    for (const message of input.approvals ?? []) await decide(message);
    for (;;) {
      if (timeToRenew()) {
        renewing = true; // new decisions are refused with `Renewing` from here on, and sent again by their client
        await condition(allHandlersFinished);
        await continueAsNew<typeof catalogReview>({
          v: 1,
          ...name,
          done: progress.totals(),
          ...(bucket === undefined ? {} : { bucket }),
          ...(approvals.length === 0 ? {} : { approvals }),
        });
      }
      const seen = wakes;
      const { next, pace } = await ledger.nextStep.executeWithOptions({ ...looking, summary: `${where}: what next?` }, [
        { ...name, now: Date.now() },
      ]);
      switch (next.step) {
        case 'done':
          if (wakes !== seen || !allHandlersFinished()) {
            await condition(() => wakes !== seen && allHandlersFinished(), breathMs);
            break;
          }
          doing('done', 0);
          return progress.totals();
        case 'settle': {
          doing(`finding out what became of ${next.path}`);
          const settled = await ledger.settleIntent.executeWithOptions(
            { ...looking, summary: `${where}: what became of ${next.path}?` },
            [name],
          );
          if (settled.answer === 'wait')
            await sleep(settled.waitMs, { summary: `${where}: a lost request may still run` });
          if (settled.answer === 'settled') progress.removed(settled.path, settled.outcome, Date.now());
          break;
        }
        case 'remove':
        case 'repoint': {
          await pauseFor(pace);
          // Whoever paused or rejected while we waited is heard before anything is begun.
          if (wakes !== seen) break;
          bucket = takeToken(bucket ?? fullBucket(pace, Date.now()), pace, Date.now());
          const [activity, verb, ing] =
            next.step === 'remove'
              ? ([removeRegistration, 'remove', 'removing'] as const)
              : ([repointRegistration, 're-point', 're-pointing'] as const);
          doing(`${ing} ${next.path}`);
          const outcome = await attempt(() =>
            activity.executeWithOptions({ ...removing, summary: `${where}: ${verb} ${next.path}` }, [
              { ...name, finding: next.finding, intentId: uuid4() },
            ]),
          );
          progress.removed(next.path, outcome, Date.now());
          if (outcome === 'not-permitted' || outcome === 'abandoned') await condition(() => wakes !== seen, breathMs);
          break;
        }
        case 'restore': {
          doing(`restoring ${next.path}`);
          try {
            await restoreRegistration.executeWithOptions({ ...restoring, summary: `${where}: restore ${next.path}` }, [
              { ...name, restoreId: next.restore },
            ]);
          } catch (error) {
            // The wish stays on record, and is safe to repeat.
            log.warn('a restore could not be carried out', { restore: next.restore, error });
            await condition(() => wakes !== seen, breathMs);
          }
          break;
        }
        case 'wait': {
          doing(`waiting: ${next.why}`, next.open);
          const rest = next.lookAgainAt === undefined ? longestRestMs : Math.max(1_000, next.lookAgainAt - Date.now());
          await condition(() => wakes !== seen || timeToRenew(), Math.min(rest, longestRestMs));
          break;
        }
      }
    }
  };
  try {
    return await live();
  } catch (error) {
    if (error instanceof ContinueAsNew) throw error;
    // However it ends, also when it is cancelled: not before the last answer. The server takes none after the end.
    [renewing, ending] = [false, true];
    await CancellationScope.nonCancellable(async () => {
      for (const message of approvals) await decide(message);
      await condition(allHandlersFinished);
    });
    throw error;
  }
}

/** Any failure of an intent means that its outcome is unknown; the open intent makes the loop look before it goes on. */
async function attempt(
  remove: () => Promise<Awaited<ReturnType<RemovalActivities['removeRegistration']>>>,
): Promise<Awaited<ReturnType<RemovalActivities['removeRegistration']>>['outcome']> {
  try {
    return (await remove()).outcome;
  } catch {
    return 'unknown';
  }
}
