import { createHash } from 'node:crypto';
import type { JudgingRound, Judged, Standing } from '../../src/domain/finding.ts';
import { defaultPolicy, type Policy } from '../../src/domain/policy.ts';
import type { Attachments, Registration } from '../../src/domain/registration.ts';
import type { Verdict } from '../../src/domain/verdict.ts';

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** Some moment; the rules ask no clock. */
export const t0 = 1_800_000_000_000;

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The defaults under auto-remove, with nothing that asks for a person. */
export function autoRemove(over: Partial<Policy> = {}): Policy {
  return { ...defaultPolicy, mode: 'auto-remove', ...over };
}

/** Round 2 of a catalog that is scanned every hour, judged at {@link t0} after a complete one, under auto-remove. */
export function judgingRound(over: Partial<JudgingRound> = {}): JudgingRound {
  return {
    seq: 2,
    now: t0,
    epoch: 'e1',
    intervalMs: hour,
    afterComplete: true,
    knownControls: true,
    policy: autoRemove(),
    ...over,
  };
}

/** What round 1 of such a catalog, an hour before, left of an absent object. */
export function standing(over: Partial<Standing> = {}): Standing {
  return {
    verdict: 'absent',
    code: 'no-row',
    misses: 1,
    graceMs: 0,
    epoch: 'e1',
    absentSeq: 1,
    absentAt: t0 - hour,
    firstMissedAt: t0 - hour,
    dueAt: t0 - hour + day,
    due: false,
    ripe: false,
    waits: ['misses', 'grace', 'announced'],
    ...over,
  };
}

export const verdicts = {
  present: { kind: 'present', code: 'row', found: 'table', uid: '77' },
  absent: { kind: 'absent', code: 'no-row' },
  replaced: { kind: 'replaced', code: 'row', found: 'view', uid: '78' },
  renamed: { kind: 'renamed', code: 'identity-elsewhere', uid: '77', movedTo: ['sales', 'new'], taken: false },
  renamedTaken: { kind: 'renamed', code: 'identity-elsewhere', uid: '77', movedTo: ['sales', 'new'], taken: true },
  copied: { kind: 'copied', code: 'identity-elsewhere', uid: '77' },
  unknown: { kind: 'unknown', code: 'timeout' },
  notJudged: { kind: 'not-judged' },
} as const satisfies Record<string, Verdict | { readonly kind: 'not-judged' }>;

export type VerdictName = keyof typeof verdicts;

/** A table registered a year ago, with nothing attached, about which the round concluded `verdict`. */
export function judged(verdict: VerdictName, over: Partial<Judged> = {}): Judged {
  return {
    kind: 'table',
    verdict: verdicts[verdict],
    createdAt: t0 - 365 * day,
    attended: false,
    returned: false,
    ...over,
  };
}

export function registration(over: Partial<Registration> = {}): Registration {
  return {
    id: '1',
    kind: 'table',
    path: ['sales', 'orders'],
    version: '1',
    createdAt: t0 - 365 * day,
    managed: false,
    ...over,
  };
}

export function attachments(over: Partial<Attachments> = {}): Attachments {
  return { tags: [], policies: [], grants: [], properties: {}, ...over };
}
