import { z } from 'zod';

export const EntityKindView = z.enum(['schema', 'table', 'view', 'topic']);

/** The verdicts that make a finding. */
export const FindingVerdict = z.enum(['absent', 'replaced', 'renamed', 'copied']);

const count = z.int().exactOptional();

export const VerdictCounts = z.object({
  present: count,
  absent: count,
  replaced: count,
  renamed: count,
  copied: count,
  unknown: count,
});
