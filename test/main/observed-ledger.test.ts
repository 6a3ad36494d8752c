import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ReconcilerFailure } from '../../src/domain/failure.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import { temporalAddress } from '../support/temporal-server.ts';
import { World } from '../support/world/world.ts';
import { openWorldHouse, type WorldHouse } from '../support/world/world-house.ts';
import { stepsIn } from '../support/world/world-steps.ts';

type Line = Readonly<Record<string, unknown>>;

describe('a worker counts and tells', { timeout: 60_000 }, () => {
  const lines: string[] = [];
  const told = (): readonly Line[] => lines.map((line): Line => JSON.parse(line));
  const since = (count: number): readonly Line[] => told().slice(count);
  const metrics = createMetrics(['worker']);
  const world = new World('told');
  let house: WorldHouse;

  beforeAll(async () => {
    for (let table = 0; table < 30; table += 1) world.add(['sales', `t${table}`]);
    const logger = pino({ level: 'trace', base: null }, { write: (line: string) => void lines.push(line) });
    house = await openWorldHouse(world, await temporalAddress(), { watch: { metrics, logger } });
  });
  afterAll(() => house.close());

  test('the end of a round, in lines that name catalog and round', async () => {
    const before = lines.length;
    const { roundId: round } = await stepsIn(house).round();
    const ofRound = since(before).filter((line) => line['catalog'] === 'world/told');
    expect(ofRound).toContainEqual(expect.objectContaining({ msg: 'round opened', round }));
    expect(ofRound).toContainEqual(
      expect.objectContaining({
        level: 30,
        msg: 'round held',
        hold: ['new-epoch'],
        round,
        end: 'published',
        verdicts: { present: 31 },
      }),
    );
    // the SDK's own lines about the round's steps
    const steps = ofRound.filter(({ activityType }) => activityType === 'probeRange');
    expect(steps.length).toBeGreaterThan(0);
    for (const step of steps) expect(step).toMatchObject({ round });

    const page = await metrics.page();
    expect(page).toContain('reconciler_rounds_total{catalog="world/told",end="published"} 1\n');
    expect(page).toContain('reconciler_round_duration_seconds_count{catalog="world/told",end="published"} 1\n');
    expect(page).toMatch(/reconciler_probe_duration_seconds_count\{source="\w+",end="answered"\} [1-9]/);
    expect(page).toMatch(/reconciler_probe_batch_objects_sum\{source="\w+"\} 31\n/);
    expect(page).toContain('reconciler_queue_wait_seconds_count{queue="reconcile",activity="publishRound"} 1\n');
  });

  test('a round that fails, with its reason, and the step in which it did', async () => {
    const before = lines.length;
    world.sourceFault = new ReconcilerFailure('SourceAccessDenied', '28P01', 'the source refuses the role reader');
    const { roundId: round } = await stepsIn(house).round();
    world.sourceFault = undefined;
    const warnings = since(before).filter(({ level }) => level === 40);
    expect(warnings).toContainEqual(
      expect.objectContaining({ msg: 'round ended', catalog: 'world/told', round, code: '28P01' }),
    );
    expect(warnings).toContainEqual(
      expect.objectContaining({
        activityType: 'checkCatalog',
        catalog: 'world/told',
        round,
        err: expect.objectContaining({ message: expect.stringContaining('refuses the role reader') }),
      }),
    );
    for (const warning of warnings) expect(warning).toMatchObject({ catalog: 'world/told' });
  });

  test('a decision and a removal, in lines that name catalog, request key and removal', async () => {
    const steps = stepsIn(house);
    world.drop(['sales', 't1']);
    await steps.round();
    await steps.round();
    await steps.decide('sales/t1', 'approve', 'key-of-the-request');
    const { id } = await steps.outcomeAt('sales/t1');
    expect(told()).toContainEqual(
      expect.objectContaining({ catalog: 'world/told', requestKey: 'key-of-the-request', decided: 1, refused: 0 }),
    );
    expect(told()).toContainEqual(
      expect.objectContaining({
        catalog: 'world/told',
        removal: id,
        outcome: 'removed',
        path: 'sales/t1',
        actor: 'ada',
      }),
    );
    const page = await metrics.page();
    expect(page).toContain('reconciler_removals_total{catalog="world/told",action="remove",outcome="removed"} 1\n');
    expect(page).toContain('reconciler_removed_registrations_total{catalog="world/told"} 1\n');
  });

  test('each end once, however often it is written', async () => {
    const { ledger, now } = house;
    const [last] = await ledger.rounds.rounds('world/told', { limit: 1 });
    if (last === undefined) throw new Error('no round');
    const before = await metrics.page();
    await ledger.rounds.end({ id: last.id, state: 'failed', now: now() + 1 });
    const { id } = await stepsIn(house).outcomeAt('sales/t1');
    await ledger.removals.settle({ intent: id, outcome: 'present', reason: 'late', entities: 0, now: now() + 1 });
    const ours = (page: string) => page.split('\n').filter((line) => /^reconciler_(rounds|removals)_/.test(line));
    expect(ours(await metrics.page())).toEqual(ours(before));
  });
});
