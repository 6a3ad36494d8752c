import type { Standing } from '../domain/finding.ts';
import type { Judgement, RoundLedger } from '../ledger/ledger.ts';
import { stopIfCancelled } from './context.ts';

/** Judgements that are written together. */
const atOnce = 500;

/** Closes the findings of registrations that the round's snapshot no longer has: somebody dropped them. */
export async function closeUnregistered(rounds: RoundLedger, roundId: string): Promise<void> {
  const gone = await rounds.unregistered(roundId);
  for (let from = 0; from < gone.length; from += atOnce) {
    await rounds.recordJudgements(
      roundId,
      gone.slice(from, from + atOnce).map(({ entity }) => closing(entity)),
    );
    stopIfCancelled();
  }
}

/** Only the entity and the move are looked at where a finding closes. */
function closing(entity: string): Judgement {
  return {
    entity,
    kind: 'table',
    path: [entity],
    version: '',
    registeredAt: 0,
    move: { move: 'close', why: 'not-registered' },
    standing: nothing,
    digest: '',
    evidence: '',
    attachments: 'unseen',
    taken: false,
    inside: 0,
  };
}

const nothing: Standing = {
  verdict: 'absent',
  code: '',
  misses: 0,
  graceMs: 0,
  epoch: '',
  absentSeq: 0,
  absentAt: 0,
  firstMissedAt: 0,
  due: false,
  ripe: false,
  waits: [],
};
