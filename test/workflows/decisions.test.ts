import { WorkflowUpdateFailedError } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { queries, signals, updates } from '../../src/contract/names.ts';
import type { RemovalsReport, StaleReport } from '../../src/contract/review-messages.ts';
import { pathText } from '../../src/domain/path.ts';
import { temporalAddress } from '../support/temporal-server.ts';
import { until } from '../support/until.ts';
import { World } from '../support/world/world.ts';
import { openWorldHouse, type WorldHouse } from '../support/world/world-house.ts';
import { ada, gate, patienceMs, stepsIn } from '../support/world/world-steps.ts';

const catalogs = ['signalled', 'refused', 'early', 'reverted', 'compared', 'shown', 'renewed'] as const;

describe('decisions', { timeout: 60_000 }, () => {
  let house: WorldHouse;
  const worlds = new Map<string, World>();

  beforeAll(async () => {
    for (const name of catalogs) {
      const world = new World(name);
      for (let table = 0; table < 30; table += 1) world.add(['sales', `t${table}`]);
      worlds.set(name, world);
    }
    const [first, ...beside] = [...worlds.values()];
    if (first === undefined) throw new Error('no catalog');
    house = await openWorldHouse(first, await temporalAddress(), { beside });
  });
  afterAll(() => house.close());

  function scene(catalog: (typeof catalogs)[number]) {
    const world = worlds.get(catalog);
    if (world === undefined) throw new Error(`no catalog ${catalog}`);
    const steps = stepsIn(house, { metalake: 'world', catalog });
    const paths = async () => (await steps.findings()).map(({ path }) => pathText(path));
    return { world, name: { metalake: 'world', catalog }, steps, paths };
  }

  test('an approval by signal is carried out under the name it gives, and a malformed one is dropped', async () => {
    const { world, steps } = scene('signalled');
    await steps.round();
    for (const table of ['t1', 't2']) world.drop(['sales', table]);
    await steps.round();
    await steps.round();
    const [one, two] = await Promise.all([steps.findingAt('sales/t1'), steps.findingAt('sales/t2')]);
    const review = steps.reviewHandle();
    const items = [{ findingId: one.id, digest: one.digest }];
    for (const malformed of [undefined, 'sales/t2', { items }, { items: [{ findingId: two.id }], actor: 'bob' }]) {
      await review.signal(signals.approve, malformed);
    }
    await review.signal(signals.approve, { items, actor: 'bob', reason: 'gone since May' });
    expect(await steps.outcomeAt('sales/t1')).toMatchObject({ outcome: 'removed', actor: { name: 'bob' } });
    const decided = await house.ledger.decisions.decisions(steps.catalog, { limit: 10 }, house.now());
    expect(decided).toMatchObject([
      { finding: one.id, actor: { name: 'bob', via: 'temporal', verified: false }, reason: 'gone since May' },
    ]);
    expect(world.at(['sales', 't2'])).toBeDefined();
    expect((await review.describe()).status.name).toBe('RUNNING');
  });

  test('a decision of the wrong shape is refused before anything is written', async () => {
    const { world, steps } = scene('refused');
    await steps.round();
    world.drop(['sales', 't1']);
    await steps.round();
    const { id, digest } = await steps.findingAt('sales/t1');
    const good = {
      items: [{ findingId: id, digest, action: 'approve' }],
      actor: ada,
      requestKey: 'key',
      notAfter: house.now() + 60_000,
    };
    for (const [flaw, message] of [
      ['items', { ...good, items: [] }],
      ['items[0]', { ...good, items: [{ findingId: id, digest, action: 'drop' }] }],
      ['actor.name', { ...good, actor: { name: '' } }],
      ['requestKey', { ...good, requestKey: '' }],
      ['notAfter', { ...good, notAfter: 'tomorrow' }],
    ] as const) {
      const refused = await steps
        .reviewHandle()
        .executeUpdate(updates.decide, { args: [message] })
        .catch((error: unknown) => error);
      expect(refused, flaw).toBeInstanceOf(WorkflowUpdateFailedError);
      expect((refused as WorkflowUpdateFailedError).cause?.message).toContain(flaw);
    }
    expect(await house.ledger.decisions.decisions(steps.catalog, { limit: 10 }, house.now())).toEqual([]);
  });

  test('B86 an approval sent in the middle of a round is stored, and carried out when its time has come', async () => {
    const { world, steps } = scene('early');
    await steps.round();
    world.drop(['sales', 't1']);
    await steps.round();
    const held = gate();
    world.beforeAnswer = held.pass;
    const run = await steps.startRound();
    await held.reached;
    expect(await steps.decide('sales/t1')).toMatchObject({ answer: 'accepted' });
    expect(world.removals).toEqual([]);
    world.beforeAnswer = undefined;
    held.open();
    await steps.endOf(run);
    expect(await steps.outcomeAt('sales/t1')).toMatchObject({ outcome: 'removed', actor: { name: 'ada' } });
  });

  test('B88 what is no longer stale is closed together with its approval, and stays', async () => {
    const { world, steps, paths } = scene('reverted');
    await house.policy({ misses: 3 });
    await steps.round();
    for (const table of ['t1', 't2']) world.drop(['sales', table]);
    await steps.round();
    await steps.decide('sales/t1');
    await steps.decide('sales/t2');
    await steps.round();
    world.create(['sales', 't2']);
    await steps.round();
    expect(await steps.outcomeAt('sales/t1')).toMatchObject({ outcome: 'removed' });
    expect(await paths()).toEqual(['sales/t2']); // created anew: another object than the registered one
    const [finding] = await steps.findings();
    expect(finding).toMatchObject({ standing: { verdict: 'replaced' } });
    expect(finding?.decision).toBeUndefined();
    expect(world.removals.map(({ path }) => pathText(path))).toEqual(['sales/t1']);
    await house.policy();
  });

  test('B89 the same evidence keeps an approval, changed evidence voids it, and what is back clears it', async () => {
    const { world, steps } = scene('compared');
    await house.policy({ misses: 9 });
    const decisionOf = async (finding: string) =>
      (await house.ledger.decisions.decisions(steps.catalog, { finding, limit: 1 }, house.now()))[0];
    await steps.round();
    const objects = ['t1', 't2', 't3'].map((table) => world.objects.get(`sales/${table}`));
    for (const table of ['t1', 't2', 't3']) world.drop(['sales', table]);
    await steps.round();
    const findings = await steps.findings();
    for (const { path } of findings) await steps.decide(pathText(path));
    await steps.round();
    world.touch(world.at(['sales', 't2'])?.id ?? '', { owner: 'somebody' });
    const third = objects[2];
    if (third !== undefined) world.objects.set('sales/t3', third);
    await steps.round();
    const [kept, replaced, cleared] = findings;
    expect(await decisionOf(kept?.id ?? '')).toMatchObject({ state: 'active' });
    expect(await decisionOf(replaced?.id ?? '')).toMatchObject({ state: 'void' });
    expect(await decisionOf(cleared?.id ?? '')).toMatchObject({ state: 'void' });
    expect((await steps.findingAt('sales/t2')).digest).not.toBe(replaced?.digest);
    expect(await house.ledger.findings.finding(cleared?.id ?? '', house.now())).toMatchObject({ state: 'closed' });
    const history = await house.ledger.findings.history(replaced?.id ?? '');
    expect(history.length).toBeGreaterThan(1);
    await house.policy();
  });

  test('the review tells what it does, what is open, and what became of removals', async () => {
    const { world, steps, name } = scene('shown');
    await steps.round();
    for (const table of ['t1', 't2']) world.drop(['sales', table]);
    await steps.round();
    await steps.round();
    const report = (): Promise<StaleReport> => steps.reviewHandle().query<StaleReport>(queries.staleReport);
    await until('it waits for a person', patienceMs, async () => (await report()).doing === 'waiting: not-approved');
    expect(await report()).toEqual({
      ...name,
      open: 2,
      doing: 'waiting: not-approved',
      more: '/api/metalakes/world/catalogs/shown/stale',
    });
    await steps.decide('sales/t1');
    await until('it waits again', patienceMs, async () => (await report()).open === 1);
    expect(await steps.reviewHandle().query(queries.removals)).toMatchObject({
      totals: { removed: 1 },
      latest: [{ path: 'sales/t1', outcome: 'removed' }],
      more: '/api/metalakes/world/catalogs/shown/removals',
    });
  });

  test('B94 decisions in a stream across a renewal of the review are all taken', async () => {
    const { world, steps, name } = scene('renewed');
    await steps.round();
    // the last one is never decided: a review that has nothing to wait for ends, and the next begins to count anew
    const tables = ['t1', 't2', 't3', 't4', 't5'];
    for (const table of tables) world.drop(['sales', table]);
    await steps.round();
    await steps.round();
    const findings = await steps.findings();
    const [streamed, ...others] = findings;
    if (streamed === undefined) throw new Error('nothing was found');
    const signalled = others.slice(0, 3);
    const review = steps.reviewHandle();
    const before = await review.describe();
    // A run takes 500 messages; these bring it close to that.
    for (let sent = 0; sent < 470; sent += 10) {
      await Promise.all(Array.from({ length: 10 }, () => review.signal(signals.wake, { why: 'a test' })));
    }
    const stream = async (from: number): Promise<void> => {
      for (let number = from; number < from + 15; number += 1) {
        const sent = await house.gateway.decide(name, {
          items: [{ findingId: streamed.id, digest: streamed.digest, action: number % 2 === 0 ? 'reject' : 'keep' }],
          actor: ada,
          requestKey: `stream ${number}`,
          notAfter: house.now() + 60_000,
        });
        expect(sent).toMatchObject({ status: 'answered', result: { answers: [{ answer: 'accepted' }] } });
      }
    };
    const signal = async (): Promise<void> => {
      for (const { id, digest } of signalled) {
        await review.signal(signals.approve, { items: [{ findingId: id, digest }], actor: 'bob' });
      }
    };
    await Promise.all([stream(0), stream(100), stream(200), stream(300), signal()]);
    for (const { path } of signalled) {
      expect(await steps.outcomeAt(pathText(path))).toMatchObject({ outcome: 'removed', actor: { name: 'bob' } });
    }
    const decided = await house.ledger.decisions.decisions(steps.catalog, { limit: 500 }, house.now());
    expect(decided.filter(({ finding }) => finding === streamed.id)).toHaveLength(60);
    expect((await review.describe()).runId).not.toBe(before.runId);
    // The ledger knows a moment before the review does.
    const told = async () => (await review.query<RemovalsReport>(queries.removals)).totals.removed ?? 0;
    await until('the review tells of all of them, over its runs', patienceMs, async () => (await told()) >= 3);
    expect(await told()).toBe(3);
  });
});
