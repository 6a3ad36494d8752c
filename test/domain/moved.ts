import { moveFinding, type JudgingRound, type Judged, type Standing } from '../../src/domain/finding.ts';

/** The standing after the round; fails where the finding is not left open. */
export function moved(before: Standing | undefined, what: Judged, round: JudgingRound): Standing {
  const move = moveFinding(before, what, round);
  if (move.move !== 'open') throw new Error(`the finding was not left open: ${JSON.stringify(move)}`);
  return move.standing;
}
