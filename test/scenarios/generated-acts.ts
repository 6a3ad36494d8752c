import fc from 'fast-check';
import { hour, minute } from '../support/builders.ts';
import type { Act, PolicyChange } from './history.ts';

/*
 * Random histories. Weights make what matters happen often: rounds with absences, decisions about them, and the loop
 * right after. What a step picks is a number, so that shrinking keeps a history playable.
 */

export const pick = fc.nat({ max: 40 });
export const name = fc.nat({ max: 3 });
export const elsewhere = fc.oneof({ weight: 2, arbitrary: fc.constant(false) }, fc.constant(true));
export const often = <const T>(value: T): fc.Arbitrary<T> => fc.constant(value);
export const act = <Do extends Act['do']>(
  does: Do,
  rest: { [Key in Exclude<keyof Extract<Act, { do: Do }>, 'do'>]: fc.Arbitrary<Extract<Act, { do: Do }>[Key]> },
) => fc.record({ do: often(does), ...rest }) as unknown as fc.Arbitrary<Act>;

const kind = fc.constantFrom('table', 'view', 'partitioned-table', 'other') satisfies fc.Arbitrary<string>;

const policyChange: fc.Arbitrary<PolicyChange> = fc.oneof(
  fc.record({ mode: fc.constantFrom('report-only', 'auto-remove') }),
  fc.record({ misses: fc.constantFrom(2, 3) }),
  fc.record({ graceHours: fc.constantFrom(0, 2) }),
  fc.record({ minimumAgeHours: fc.constantFrom(0, 1, 60) }),
  fc.record({ approveAttended: fc.boolean() }),
  fc.record({ approvalHours: fc.constantFrom(1, 168) }),
  fc.record({ minCount: fc.constantFrom(0, 3, 10), maxShare: fc.constantFrom(0.05, 0.5) }),
  fc.record({ perRound: fc.constantFrom(1, 3, 1_000), perDay: fc.constantFrom(2, 5_000) }),
  fc.record({ fourEyes: fc.boolean() }),
  fc.record({ exclude: fc.constantFrom<string[][]>([], ['s0/t0'], ['*/t1', '*/n*']) }),
  fc.record({ include: fc.constantFrom<string[][]>([], ['s0', 's0/**']) }),
  fc.record({ protect: fc.constantFrom<string[][]>([], ['s1'], ['*/t1']) }),
) as fc.Arbitrary<PolicyChange>;

const atTheSource = fc.oneof(
  { weight: 9, arbitrary: act('drop', { pick }) },
  { weight: 3, arbitrary: act('create', { pick, name, kind }) },
  { weight: 3, arbitrary: act('rename', { pick, name }) },
  { weight: 3, arbitrary: act('rename-onto', { pick, onto: pick }) },
  { weight: 4, arbitrary: act('recreate', { pick }) },
  { weight: 4, arbitrary: act('undrop', { pick, elsewhere }) },
  { weight: 2, arbitrary: act('replace', { pick, kind }) },
  { weight: 2, arbitrary: act('copy', { pick, name, away: fc.boolean() }) },
  { weight: 2, arbitrary: act('drop-around', { pick }) },
);

const between = fc.oneof(
  { weight: 3, arbitrary: act('outage', { with: fc.constantFrom('unreachable', 'denied', 'busy') }) },
  { weight: 3, arbitrary: act('deny', { pick }) },
  { weight: 2, arbitrary: act('hide', { pick }) },
  { weight: 4, arbitrary: act('lie', { pick }) },
  {
    weight: 3,
    arbitrary: act('proxy', { how: fc.constantFrom('all-absent', 'all-present', 'truncated', 'other-database') }),
  },
  { weight: 1, arbitrary: act('principal', { name: fc.nat({ max: 1 }) }) },
  { weight: 2, arbitrary: act('failover', { fingerprint: fc.constantFrom('same', 'other') }) },
  { weight: 14, arbitrary: act('clear-up', {}) },
);

export const atTheRegistry = fc.oneof(
  { weight: 2, arbitrary: act('register', { pick, name }) },
  { weight: 2, arbitrary: act('unregister', { pick, recorded: fc.boolean() }) },
  { weight: 1, arbitrary: act('reregister', { pick }) },
  { weight: 3, arbitrary: act('attach', { pick, what: fc.constantFrom('owner', 'tag', 'comment') }) },
  {
    weight: 5,
    arbitrary: act('registry', {
      mood: fc.constantFrom(
        'refuses',
        'says-done',
        'says-refused',
        'loses',
        'does-it-without-answer',
        'late',
        'answers-unknown',
      ),
      lateMs: fc.constantFrom(1_000, 20_000, 44_000),
    }),
  },
  { weight: 1, arbitrary: act('miscount', { by: fc.constantFrom(-2, 1, 5) }) },
);

export const decide = (action: fc.Arbitrary<Extract<Act, { do: 'decide' }>['action']>) =>
  act('decide', {
    pick,
    action,
    outdated: fc.oneof({ weight: 6, arbitrary: often(false) }, often(true)),
    keepHours: fc.constantFrom(0, 1, 5),
    twice: fc.oneof({ weight: 6, arbitrary: often(false) }, often(true)),
  });

const people = fc.oneof(
  { weight: 16, arbitrary: decide(often('approve')) },
  { weight: 4, arbitrary: decide(fc.constantFrom('reject', 'keep', 'accept')) },
  { weight: 4, arbitrary: decide(often('repoint')) },
  { weight: 3, arbitrary: act('override', { max: fc.constantFrom(1, 3, 50), hours: fc.constantFrom(1, 30) }) },
  { weight: 2, arbitrary: act('second-eyes', { same: fc.boolean() }) },
  { weight: 4, arbitrary: act('restore', { pick }) },
  { weight: 1, arbitrary: act('pause', {}) },
  { weight: 2, arbitrary: act('resume', {}) },
  { weight: 1, arbitrary: act('accept-source', {}) },
  { weight: 3, arbitrary: act('policy', { change: policyChange }) },
);

const clock = act('clock', { ms: fc.constantFrom(-2 * hour, 20_000, minute, 3 * hour, 30 * hour, 200 * hour) });

export const anyAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 10, arbitrary: atTheSource },
  { weight: 5, arbitrary: between },
  { weight: 4, arbitrary: atTheRegistry },
  { weight: 8, arbitrary: people },
  { weight: 2, arbitrary: clock },
);
