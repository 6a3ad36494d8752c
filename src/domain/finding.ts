import { impossible } from './impossible.ts';
import { modeFor, type Policy } from './policy.ts';
import type { EntityKind } from './registration.ts';
import type { Verdict } from './verdict.ts';

/** The part of a finding that rounds move. Times are Unix milliseconds, lengths are milliseconds. */
export interface Standing {
  readonly verdict: Exclude<Verdict['kind'], 'present' | 'unknown'>;
  readonly code: string;
  /** Complete rounds of one epoch, in a row, in which the object was absent. */
  readonly misses: number;
  /** How much of the grace period has really been watched. */
  readonly graceMs: number;
  readonly epoch: string;
  /** The last complete round in which it was absent: its number and its time; 0 where it never was. */
  readonly absentSeq: number;
  readonly absentAt: number;
  readonly firstMissedAt: number;
  /** Announced by a round under auto-remove; only ever moves later. */
  readonly dueAt?: number;
  /** Auto-remove may act on it as long as this round is the published one. */
  readonly due: boolean;
  /**
   * A person's approval may act on it: minimum age is met, controls were known, this round followed a complete one, and
   * it is absent with its misses met, or renamed onto a name that is registered already.
   */
  readonly ripe: boolean;
  /** Why it is not due, in the order in which a reader should look. */
  readonly waits: readonly Wait[];
}

export type Wait =
  | 'verdict'
  | 'unknown-now'
  | 'not-judged'
  | 'misses'
  | 'minimum-age'
  | 'after-incomplete-round'
  | 'no-controls'
  | 'grace'
  | 'announced'
  | 'report-only'
  | 'needs-approval'
  | 'returned'
  | 'container'
  | 'blocked-inside';

/** What a complete round knows about one registration when it moves that registration's finding. */
export interface Judged {
  readonly kind: EntityKind;
  /** `not-judged` for one that is excluded, protected or out of scope in this round. */
  readonly verdict: Verdict | { readonly kind: 'not-judged' };
  /** When it was registered. */
  readonly createdAt: number;
  /** Whether anything is attached that a policy may want a person to look at. */
  readonly attended: boolean;
  /** Whether we removed this very registration before, and it came back. */
  readonly returned: boolean;
}

/** The round that judges. `seq` numbers every round of a catalog that was meant to judge, complete or not. */
export interface JudgingRound {
  readonly seq: number;
  readonly now: number;
  readonly epoch: string;
  /** Time between two rounds as scheduled. */
  readonly intervalMs: number;
  /** Whether the round before this one was complete. True for the very first. */
  readonly afterComplete: boolean;
  /** Whether a known object proved that this source's objects can be seen. */
  readonly knownControls: boolean;
  readonly policy: Policy;
}

/** After so many rounds in a row without a clear answer, what was counted before says nothing about now. */
const forgottenAfterRounds = 3;

export type FindingMove =
  | { readonly move: 'open'; readonly standing: Standing }
  | { readonly move: 'close'; readonly why: 'present' | 'not-registered' }
  | { readonly move: 'none' };

/**
 * How a complete round moves a finding: the table of design.md §5, one row a case.
 *
 * @param before the finding's standing as the last *published* round left it; `undefined` where there is none
 */
export function moveFinding(before: Standing | undefined, judged: Judged, round: JudgingRound): FindingMove {
  const { verdict } = judged;
  switch (verdict.kind) {
    case 'present':
      return before === undefined ? { move: 'none' } : { move: 'close', why: 'present' };
    case 'unknown':
      return before === undefined ? { move: 'none' } : { move: 'open', standing: paused(before, 'unknown-now') };
    case 'not-judged':
      return before === undefined ? { move: 'none' } : { move: 'open', standing: paused(before, 'not-judged') };
    case 'absent':
      return { move: 'open', standing: missed(before, judged, verdict.code, round) };
    case 'replaced':
    case 'renamed':
    case 'copied':
      return { move: 'open', standing: elsewhere(before, verdict, judged, round) };
    default:
      return impossible(verdict);
  }
}

/** Nothing was learned: counters stay, and nothing happens on the strength of an older round. */
function paused(before: Standing, why: Wait): Standing {
  return { ...before, due: false, ripe: false, waits: [why] };
}

function elsewhere(
  before: Standing | undefined,
  verdict: Extract<Verdict, { kind: 'replaced' | 'renamed' | 'copied' }>,
  judged: Judged,
  round: JudgingRound,
): Standing {
  // Removing a registration whose object was renamed onto an already registered name is a person's choice, and an
  // approval waives no more here than anywhere else.
  const removable = verdict.kind === 'renamed' && verdict.taken;
  const unwaivable = removable ? unwaivableWaits(judged, round) : [];
  return {
    verdict: verdict.kind,
    code: verdict.code,
    misses: 0,
    graceMs: 0,
    epoch: round.epoch,
    absentSeq: 0,
    absentAt: 0,
    firstMissedAt: before?.firstMissedAt ?? round.now,
    ...(before?.dueAt === undefined ? {} : { dueAt: before.dueAt }),
    due: false,
    ripe: removable && unwaivable.length === 0,
    waits: ['verdict', ...unwaivable],
  };
}

function missed(before: Standing | undefined, judged: Judged, code: string, round: JudgingRound): Standing {
  const { policy } = round;
  const counted = countMiss(before, round);
  const announced = announce(before?.dueAt, counted, judged, round);
  const missesMet = counted.misses >= policy.misses;
  const graceMet = counted.graceMs >= policy.graceMs;
  const auto = modeFor(policy, judged.kind) === 'auto-remove';
  const waits: Wait[] = [];
  if (!missesMet) waits.push('misses');
  waits.push(...unwaivableWaits(judged, round));
  const ripe = waits.length === 0;
  if (!graceMet) waits.push('grace');
  if (!auto) waits.push('report-only');
  else if (policy.approveAttended && judged.attended) waits.push('needs-approval');
  else if (before?.dueAt === undefined || round.now < announced) waits.push('announced');
  // Somebody wanted it back, or put it back by mistake: removing it again unasked could go on for ever.
  if (judged.returned) waits.push('returned');
  return {
    ...counted,
    verdict: 'absent',
    code,
    epoch: round.epoch,
    absentSeq: round.seq,
    absentAt: round.now,
    ...(auto ? { dueAt: announced } : before?.dueAt === undefined ? {} : { dueAt: before.dueAt }),
    due: waits.length === 0,
    ripe,
    waits,
  };
}

/**
 * The standing of a container in view of what is inside: the policy alone takes along nothing that it would not take by
 * itself.
 */
export function withContents(
  standing: Standing,
  kind: EntityKind,
  inside: Pick<Judged, 'attended' | 'returned'>,
  policy: Policy,
): Standing {
  const asked = policy.approveAttended && inside.attended && modeFor(policy, kind) === 'auto-remove';
  const more: readonly Wait[] = [
    ...(asked ? (['needs-approval'] as const) : []),
    ...(inside.returned ? (['returned'] as const) : []),
  ];
  const fresh = more.filter((wait) => !standing.waits.includes(wait));
  if (fresh.length === 0) return standing;
  return { ...standing, due: false, waits: [...standing.waits, ...fresh] };
}

/** What bars every removal on the strength of this round, a person's approval or not; misses count apart. */
function unwaivableWaits(judged: Judged, round: JudgingRound): readonly Wait[] {
  const waits: Wait[] = [];
  // Asked this way round, so that a registry that does not tell the time of registration counts as too young.
  const oldEnough = round.now - judged.createdAt >= round.policy.minimumAgeMs;
  if (!oldEnough) waits.push('minimum-age');
  if (!round.afterComplete) waits.push('after-incomplete-round');
  if (!round.knownControls) waits.push('no-controls');
  return waits;
}

function countMiss(
  before: Standing | undefined,
  round: JudgingRound,
): Pick<Standing, 'misses' | 'graceMs' | 'firstMissedAt'> {
  const first = { misses: 1, graceMs: 0, firstMissedAt: before?.firstMissedAt ?? round.now };
  if (before === undefined || before.misses === 0 || before.epoch !== round.epoch) return first;
  const roundsBetween = round.seq - before.absentSeq - 1;
  if (roundsBetween > forgottenAfterRounds) return first;
  const misses = before.misses + 1;
  if (roundsBetween > 0) return { misses, graceMs: before.graceMs, firstMissedAt: before.firstMissedAt };
  // A clock that leapt, or a schedule that stood still, must not let a grace period pass that nobody watched.
  const watched = Math.max(0, Math.min(round.now - before.absentAt, 2 * round.intervalMs));
  return { misses, graceMs: before.graceMs + watched, firstMissedAt: before.firstMissedAt };
}

/** When it can be due at the earliest, as far as this round can tell; never earlier than announced before. */
function announce(
  previous: number | undefined,
  counted: Pick<Standing, 'misses' | 'graceMs'>,
  judged: Judged,
  round: JudgingRound,
): number {
  const { policy } = round;
  const missing = Math.max(0, policy.misses - counted.misses) * round.intervalMs;
  const grace = Math.max(0, policy.graceMs - counted.graceMs);
  const age = Math.max(0, judged.createdAt + policy.minimumAgeMs - round.now);
  const remaining = Math.max(missing, grace, age);
  // Nothing left to wait for: what was announced stands, and does not creep on with every round.
  if (remaining === 0 && previous !== undefined) return previous;
  return Math.max(previous ?? 0, round.now + remaining);
}
