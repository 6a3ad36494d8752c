import { cutLanes, rangeBudgetMs } from '../../src/domain/lanes.ts';
import type { RoundEnd, RoundInput, RoundPhase } from '../../src/contract/round-messages.ts';
import { reconciler } from '../../src/domain/actor.ts';
import { roundEndOf } from '../../src/workflows/round-end.ts';
import type { Stage } from './stage.ts';

/** The steps of `reconcileRound`, in its order, with one lane after the other. Throws where it was terminated. */
export async function playRound(stage: Stage, dry: boolean): Promise<RoundEnd | 'not-opened'> {
  const { name, roundId, now, call } = stage;
  const input: RoundInput = { v: 1, ...name, dry, trigger: 'schedule', requestedBy: reconciler };
  const at = { ...name, roundId };
  let phase: RoundPhase = 'opening';
  try {
    const opening = { ...input, roundId, workflowId: `round of ${roundId}`, now: now() };
    await call((a) => a.openRound(opening));
    phase = 'checking';
    const before = await call((a) => a.checkCatalog(at));
    if (before.sourceChanged) return await end(stage, 'source-changed');
    phase = 'listing';
    const listed = await call((a) => a.snapshotRegistrations(at));
    phase = 'probing';
    const { fingerprint, principal } = before;
    const lanes = cutLanes(listed.registrations);
    for (const { from, to } of lanes) {
      for (let cursor = from; cursor < to; ) {
        const range = { from: cursor, to, lanes: lanes.length, budgetMs: rangeBudgetMs(0), samples: 5 };
        cursor = (await call((a) => a.probeRange({ ...at, fingerprint, principal, ...range }))).cursor;
      }
    }
    phase = 'settling';
    await call((a) => a.settleIdentities(at));
    phase = 'checking-again';
    const after = await call((a) => a.checkCatalog({ ...at, before }));
    if (dry) return await end(stage, 'scanned');
    phase = 'judging';
    const judgedAt = now();
    const { hold, guard } = await call((a) => a.judgeRound({ ...opening, before, after, judgedAt }));
    phase = 'publishing';
    const publishedAt = now();
    await call((a) => a.publishRound({ ...at, now: publishedAt, hold, guard, check: after }));
    await call((a) => a.tidyCatalog(name));
    return 'published';
  } catch (error) {
    stage.throwIfTerminated();
    if (phase === 'opening') return 'not-opened';
    const { state } = roundEndOf(error, phase);
    return await end(stage, state);
  }
}

async function end(stage: Stage, state: Exclude<RoundEnd, 'published'>): Promise<RoundEnd> {
  const { name, roundId, now, insist } = stage;
  const endedAt = now();
  await insist((a) => a.endRound({ ...name, roundId, now: endedAt, state }));
  return state;
}
