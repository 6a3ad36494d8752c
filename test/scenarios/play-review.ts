import type { IntentAction, RemovalOutcome } from '../../src/domain/removal.ts';
import type { Stage } from './stage.ts';

/** After an outcome that may be tried again at once. */
const breathMs = 30_000;

/** The loop of `catalogReview`, for so many steps or until it has nothing to do. Throws where it was terminated. */
export async function playReview(stage: Stage, steps: number): Promise<void> {
  const { name, now, insist, simulation, coverage } = stage;
  for (let step = 0; step < steps; step += 1) {
    const askedAt = now();
    const { next } = await insist((a) => a.nextStep({ ...name, now: askedAt }));
    switch (next.step) {
      case 'done':
        return;
      case 'wait':
        coverage.saw('review waits', next.why.split(':')[0] ?? next.why);
        return;
      case 'settle': {
        const settled = await insist((a) => a.settleIntent(name));
        if (settled.answer === 'wait') await simulation.advance(settled.waitMs);
        if (settled.answer === 'settled') coverage.saw('settled later as', settled.outcome);
        break;
      }
      case 'remove':
      case 'repoint': {
        const outcome = await actOnce(stage, next.step, next.finding);
        coverage.saw(`${next.step} ended`, outcome);
        if (outcome === 'not-permitted' || outcome === 'abandoned') await simulation.advance(breathMs);
        break;
      }
      case 'restore':
        coverage.saw('restore ended', await restoreOnce(stage, next.restore));
    }
  }
}

/** One attempt: whatever goes wrong, its outcome is unknown. */
async function actOnce(stage: Stage, action: IntentAction, finding: string): Promise<RemovalOutcome> {
  try {
    const { outcome, reason } = await stage.act(action, finding);
    if (outcome === 'not-permitted') stage.coverage.saw(`${action} barred`, reason);
    return outcome;
  } catch {
    stage.throwIfTerminated();
    return 'unknown';
  }
}

/** The wish stays on record where it could not be carried out, and is safe to repeat. */
async function restoreOnce(stage: Stage, restore: string): Promise<string> {
  try {
    return (await stage.restore(restore)).outcome;
  } catch {
    stage.throwIfTerminated();
    await stage.simulation.advance(breathMs);
    return 'tried again';
  }
}
