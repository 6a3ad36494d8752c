import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { moveFinding, type Standing } from '../../../src/domain/finding.ts';
import { defaultPolicy } from '../../../src/domain/policy.ts';
import type { Verdict } from '../../../src/domain/verdict.ts';
import type { OpenedRound } from '../../../src/ledger/ledger.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';
import {
  absent,
  hour,
  judge,
  judgingRound,
  look,
  openInput,
  present,
  publishing,
  replaced,
  type Seen,
  shop,
  t0,
  unknown,
} from './scene.ts';

let open: TestLedger;
beforeAll(async () => {
  open = await openTestLedger();
});
afterAll(() => open.close());

const entities = ['a', 'b', 'c', 'd'] as const;
type Sight = Verdict | 'excluded' | 'unlisted' | 'unprobed';

interface Step {
  readonly sights: readonly Sight[];
  readonly ends: 'published' | 'published twice' | 'unreachable' | 'abandoned';
  readonly epoch: string;
  readonly hours: number;
  /** How many times judging breaks off before it goes through. */
  readonly brokenOff: number;
}

const sight: fc.Arbitrary<Sight> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(absent()) },
  { weight: 2, arbitrary: fc.constant(unknown()) },
  fc.constantFrom<Sight>(present('1'), replaced('2'), 'excluded', 'unlisted', 'unprobed'),
);
const step: fc.Arbitrary<Step> = fc.record({
  sights: fc.tuple(sight, sight, sight, sight),
  ends: fc.constantFrom<Step['ends']>('published', 'published twice', 'published', 'unreachable', 'abandoned'),
  epoch: fc.constantFrom('e1', 'e1', 'e1', 'e2'),
  hours: fc.integer({ min: 0, max: 50 }),
  brokenOff: fc.integer({ min: 0, max: 2 }),
});

async function play(round: Step, id: string, now: number): Promise<OpenedRound> {
  const { rounds } = open.ledger;
  const opened = await rounds.open(openInput(id, { now }));
  const listed = entities.flatMap((path, index): readonly Seen[] => {
    const seen = round.sights[index] ?? 'unlisted';
    if (seen === 'unlisted') return [];
    if (seen === 'excluded') return [{ path, mark: 'excluded' }];
    return [seen === 'unprobed' ? { path } : { path, verdict: seen }];
  });
  await look(open.ledger, id, listed, now);
  const eyes = { now, epoch: round.epoch, policy: defaultPolicy };
  for (let time = 0; time < round.brokenOff; time += 1) await judge(open.ledger, opened, eyes, 1);
  if (round.ends === 'abandoned') return opened;
  await judge(open.ledger, opened, eyes);
  if (round.ends === 'unreachable') {
    await rounds.end({ id, state: 'unreachable', now });
    return opened;
  }
  await rounds.publish(publishing(id, { now, epoch: round.epoch }));
  if (round.ends === 'published twice') await rounds.publish(publishing(id, { now: now + 1, epoch: round.epoch }));
  return opened;
}

function moved(before: Standing | undefined, seen: Sight, opened: OpenedRound, round: Step, now: number) {
  if (seen === 'unlisted') return undefined;
  const verdict = typeof seen === 'string' ? ({ kind: 'not-judged' } as const) : seen;
  const judged = { kind: 'schema', verdict, createdAt: t0 - 720 * hour, attended: false, returned: false } as const;
  const move = moveFinding(before, judged, judgingRound(opened, { now, epoch: round.epoch, policy: defaultPolicy }));
  return move.move === 'open' ? move.standing : undefined;
}

test('however often a round is judged and published, it moves each finding once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), async (steps) => {
      await open.reset();
      const expected = new Map<string, Standing>();
      let now = t0;
      let wasPublished = true;
      for (const [index, round] of steps.entries()) {
        now += round.hours * hour;
        const opened = await play(round, `r${index}`, now);
        expect(opened).toMatchObject({ seq: index + 1, afterComplete: wasPublished });
        wasPublished = round.ends.startsWith('published');
        for (const [place, entity] of entities.entries()) {
          if (!wasPublished) continue;
          const standing = moved(expected.get(entity), round.sights[place] ?? 'unlisted', opened, round, now);
          if (standing === undefined) expected.delete(entity);
          else expected.set(entity, standing);
        }
        const page = await open.ledger.findings.page({ catalog: shop, state: 'open', limit: 10 }, now);
        expect(page.map(({ path, standing }) => [path[0], standing])).toEqual(
          entities.flatMap((entity) => (expected.has(entity) ? [[entity, expected.get(entity)]] : [])),
        );
      }
    }),
    // each run is some hundred statements; shrinking finds a small one all the same
    { numRuns: 25 },
  );
}, 120_000);
