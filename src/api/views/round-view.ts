import type { RoundReport } from '../../contract/round-messages.ts';
import { absentShare, type RoundTally } from '../../domain/guard.ts';
import type { RoundRecord } from '../../ledger/ledger.ts';
import type { RoundCounts } from '../../ledger/records.ts';
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
    ...(counts === undefined ? {} : { counts: countsOf(counts) }),
    ...(counts?.guard === undefined ? {} : { guard: guardOf(counts.guard) }),
    hold: holdInWords(round.hold),
  };
}

function countsOf({ registrations, eligible, verdicts, open, due }: RoundCounts): NonNullable<RoundView['counts']> {
  return { registrations, eligible, verdicts, open, due };
}

function guardOf(tally: RoundTally): NonNullable<RoundView['guard']> {
  const { eligible, conclusive, absent, admitted } = tally;
  return { eligible, conclusive, absent, admitted, share: absentShare(tally) };
}

export function liveView({ phase, totals, samples }: RoundReport): LiveView {
  return { phase, totals, samples: [...samples] };
}
