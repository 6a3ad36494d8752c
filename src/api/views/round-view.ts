import type { RoundReport } from '../../contract/round-messages.ts';
import type { RoundRecord } from '../../ledger/ledger.ts';
import type { LiveView, RoundView } from '../schemas/round.ts';
import { holdInWords } from '../words/holds.ts';

export function roundView(round: RoundRecord): RoundView {
  const { reason, endedAt, counts } = round;
  return {
    id: round.id,
    catalog: round.catalog,
    seq: round.seq,
    dry: round.dry,
    trigger: round.trigger,
    requestedBy: round.requestedBy,
    workflowId: round.workflowId,
    state: round.state,
    ...(reason === undefined ? {} : { reason }),
    startedAt: round.startedAt,
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(counts === undefined ? {} : { counts }),
    hold: holdInWords(round.hold),
  };
}

export function liveView({ phase, totals, samples }: RoundReport): LiveView {
  return { phase, totals, samples: [...samples] };
}
