import type { DecisionRecord } from '../../ledger/ledger.ts';
import type { DecisionView } from '../schemas/decision.ts';

export function decisionView(decision: DecisionRecord): DecisionView {
  const { reason, expiresAt, keepUntil, standingKeep, stateWhy } = decision;
  return {
    id: decision.id,
    finding: decision.finding,
    action: decision.action,
    actor: decision.actor,
    ...(reason === undefined ? {} : { reason }),
    at: decision.at,
    digest: decision.digest,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(keepUntil === undefined ? {} : { keepUntil }),
    ...(standingKeep === undefined ? {} : { standingKeep }),
    state: decision.state,
    ...(stateWhy === undefined ? {} : { stateWhy }),
  };
}
