import { limitOutgrown, limitReached, type Limits, type Removed } from '../../domain/removal-limits.ts';
import type { FindingRecord } from '../../ledger/ledger.ts';
import type { Coded } from '../schemas/words.ts';

type Waiting = Pick<FindingRecord, 'standing' | 'inside' | 'carrier' | 'taken' | 'decision'>;

/**
 * The limit that keeps a finding waiting. One that outgrows a limit is told so long before its turn, since somebody has
 * to raise the limit by then; any other once nothing else is in its way.
 */
export function limitInWords(finding: Waiting, limits: Limits, removed: Removed): Coded | undefined {
  const { standing, inside, carrier, taken, decision } = finding;
  const removable = standing.verdict === 'absent' || (standing.verdict === 'renamed' && taken);
  if (!removable || carrier !== undefined) return undefined;
  const registrations = 1 + inside;
  switch (limitOutgrown(registrations, limits)) {
    case 'round-limit':
      return outgrown('round-limit', registrations, `${limits.removalsPerRound} of a round`, 'maxRemovalsPerRound');
    case 'day-limit':
      return outgrown('day-limit', registrations, `${limits.removalsPerDay} of a day`, 'maxRemovalsPerDay');
    case undefined:
      break;
  }
  const approved = decision?.action === 'approve' && decision.state === 'active';
  if (!standing.due && !(standing.ripe && approved)) return undefined;
  const code = limitReached(registrations, removed, limits);
  if (code === undefined) return undefined;
  const text =
    code === 'round-limit'
      ? `${removed.inRound} of ${limits.removalsPerRound} registrations went since the latest round; it goes on after the next`
      : `${removed.inDay} of ${limits.removalsPerDay} registrations went within a day; it goes on as the first of them are a day ago`;
  return { code, text };
}

function outgrown(code: 'round-limit' | 'day-limit', registrations: number, limit: string, setting: string): Coded {
  return {
    code,
    text: `it takes ${registrations} registrations along, more than the ${limit}: raise ${setting} to let it go`,
  };
}
