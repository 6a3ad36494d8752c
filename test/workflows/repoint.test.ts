import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pathText } from '../../src/domain/path.ts';
import { temporalAddress } from '../support/temporal-server.ts';
import { until } from '../support/until.ts';
import { World } from '../support/world/world.ts';
import { openWorldHouse, type WorldHouse } from '../support/world/world-house.ts';
import { ada, gate, patienceMs, stepsIn } from '../support/world/world-steps.ts';

const catalogs = [
  'followed',
  'held',
  'moved-schema',
  'renamed-twice',
  'renamed-between',
  'came-back',
  'copied',
  'taken',
  'lost-answer',
  'lost-request',
  'not-judged',
] as const;

describe('re-pointing', { timeout: 60_000 }, () => {
  let house: WorldHouse;
  const worlds = new Map<string, World>();
  /** How far the activities' clock runs ahead of the machine's. */
  let ahead = 0;

  beforeAll(async () => {
    for (const name of catalogs) {
      const world = new World(name);
      for (let table = 0; table < 30; table += 1) world.add(['sales', `t${table}`]);
      worlds.set(name, world);
    }
    const [first, ...beside] = [...worlds.values()];
    if (first === undefined) throw new Error('no catalog');
    house = await openWorldHouse(first, await temporalAddress(), { beside, clock: () => Date.now() + ahead });
  });
  afterAll(() => house.close());

  function scene(catalog: (typeof catalogs)[number]) {
    const world = worlds.get(catalog);
    if (world === undefined) throw new Error(`no catalog ${catalog}`);
    const steps = stepsIn(house, { metalake: 'world', catalog });
    const idAt = (...path: [string, ...string[]]): string => world.at(path)?.id ?? 'nothing';
    /** A round that knows everybody, then a rename at the source, then a round that sees it. */
    const renamed = async (from: string, to: string): Promise<void> => {
      await steps.round();
      world.rename(['sales', from], ['sales', to]);
      await steps.round();
    };
    return { world, steps, idAt, renamed };
  }

  test('B37 a renamed table is offered, re-pointed on a decision, and present in the next round', async () => {
    const { world, steps, idAt, renamed } = scene('followed');
    const id = idAt('sales', 't1');
    world.touch(id, { owner: 'ada', tags: ['pii'] });
    await renamed('t1', 'orders');
    expect(await steps.findingAt('sales/t1')).toMatchObject({ movedTo: ['sales', 'orders'], taken: false });
    expect(await steps.decide('sales/t1', 'approve')).toMatchObject({ answer: 'refused', reason: 'renamed' });
    expect(await steps.decide('sales/t1', 'repoint')).toMatchObject({ answer: 'accepted' });
    expect(await steps.outcomeAt('sales/t1')).toMatchObject({
      action: 'repoint',
      outcome: 'repointed',
      movedTo: ['sales', 'orders'],
      actor: ada,
    });
    expect(world.at(['sales', 'orders'])).toMatchObject({ id, attachments: { owner: 'ada', tags: ['pii'] } });
    expect(world.repoints).toMatchObject([{ id, actor: 'ada' }]);
    expect(await steps.round()).toMatchObject({ end: 'published', open: 0, totals: { verdicts: { present: 31 } } });
    expect(world.removals).toEqual([]);
  });

  test('a hold does not keep it waiting', async () => {
    const { world, steps } = scene('held');
    await steps.round();
    world.rename(['sales', 't1'], ['sales', 'orders']);
    for (let table = 2; table < 30; table += 1) world.drop(['sales', `t${table}`]);
    expect(await steps.round()).toMatchObject({ end: 'published', hold: ['too-many-absent'] });
    await steps.decide('sales/t1', 'repoint');
    expect(await steps.outcomeAt('sales/t1')).toMatchObject({ outcome: 'repointed' });
    expect(world.removals).toEqual([]);
  });

  test('a renamed schema takes along everything that is registered inside it', async () => {
    const { world, steps, idAt } = scene('moved-schema');
    await steps.round();
    const ids = [idAt('sales'), idAt('sales', 't0')];
    for (let table = 0; table < 30; table += 1) world.rename(['sales', `t${table}`], ['shop', `t${table}`]);
    world.rename(['sales'], ['shop']);
    await steps.round();
    expect(await steps.findings()).toHaveLength(31);
    await steps.decide('sales', 'repoint');
    expect(await steps.outcomeAt('sales')).toMatchObject({ outcome: 'repointed', entities: 31 });
    expect(await steps.findings()).toEqual([]);
    expect([idAt('shop'), idAt('shop', 't0')]).toEqual(ids);
    expect(await steps.round()).toMatchObject({ end: 'published', open: 0, totals: { verdicts: { present: 31 } } });
  });

  test('a second rename before the decision is carried out ends it, and a decision on the new name is taken', async () => {
    const { world, steps, renamed } = scene('renamed-twice');
    await renamed('t1', 'orders');
    const { digest } = await steps.findingAt('sales/t1');
    world.rename(['sales', 'orders'], ['sales', 'invoices']);
    await steps.round();
    expect((await steps.findingAt('sales/t1')).digest).not.toBe(digest);
    await steps.decide('sales/t1', 'repoint');
    expect(await steps.outcomeAt('sales/t1')).toMatchObject({ outcome: 'repointed', movedTo: ['sales', 'invoices'] });
  });

  test('a round that does not look at it leaves its new name and its evidence as they were', async () => {
    const { steps, renamed } = scene('not-judged');
    await renamed('t1', 'orders');
    const { digest, movedTo } = await steps.findingAt('sales/t1');
    await house.policy({ exclude: ['sales/t1'] });
    await steps.round();
    const now = await steps.findingAt('sales/t1');
    expect(now.standing.waits).toEqual(['not-judged']);
    expect([now.digest, now.movedTo]).toEqual([digest, movedTo]);
    await house.policy();
  });

  test('a rename between decision and act is seen by the last look', async () => {
    const { world, steps, renamed } = scene('renamed-between');
    await renamed('t1', 'orders');
    world.rename(['sales', 'orders'], ['sales', 'invoices']);
    await steps.decide('sales/t1', 'repoint');
    expect(await steps.outcomeAt('sales/t1')).toMatchObject({ outcome: 'renamed' });
    expect(world.repoints).toEqual([]);
    expect((await steps.findingAt('sales/t1')).decision).toBeUndefined();
  });

  test('an object that is back under its old name stays registered there', async () => {
    const { world, steps, renamed } = scene('came-back');
    await renamed('t1', 'orders');
    world.rename(['sales', 'orders'], ['sales', 't1']);
    await steps.decide('sales/t1', 'repoint');
    expect(await steps.outcomeAt('sales/t1')).toMatchObject({ outcome: 'present' });
    expect(world.at(['sales', 't1'])).toBeDefined();
  });

  test('B37 an identity at two places is nobody, and nothing is re-pointed', async () => {
    const { world, steps, renamed } = scene('copied');
    await renamed('t1', 'orders');
    const original = world.objects.get('sales/orders');
    if (original === undefined) throw new Error('nothing was renamed');
    world.objects.set('sales/copy', { ...original, path: ['sales', 'copy'] });
    await steps.decide('sales/t1', 'repoint');
    expect(await steps.outcomeAt('sales/t1')).toMatchObject({ outcome: 'changed' });
    await steps.round();
    expect((await steps.findingAt('sales/t1')).standing.verdict).toBe('copied');
    expect(world.repoints).toEqual([]);
  });

  test('a name that somebody registers meanwhile is refused, at the decision or by the registry', async () => {
    const { world, steps, renamed } = scene('taken');
    await renamed('t1', 'orders');
    const held = gate();
    world.beforeRepoint = held.pass;
    await steps.decide('sales/t1', 'repoint');
    await held.reached;
    const taken = world.register(['sales', 'orders']);
    held.open();
    expect(await steps.outcomeAt('sales/t1')).toMatchObject({ outcome: 'refused', reason: 'already-exists' });
    expect(world.at(['sales', 'orders'])).toEqual(taken);
    await steps.round();
    expect(await steps.decide('sales/t1', 'repoint', 'again')).toMatchObject({
      answer: 'refused',
      reason: 'nothing-to-repoint',
    });
  });

  test('an answer that was lost after it was done is found out by looking, and it is not done twice', async () => {
    const { world, steps, renamed } = scene('lost-answer');
    await renamed('t1', 'orders');
    world.afterRepoint = async () => {
      ahead += 44_000; // a second before anybody may look
      throw new Error('the connection broke');
    };
    await steps.decide('sales/t1', 'repoint');
    expect(await steps.outcomeAt('sales/t1')).toMatchObject({ outcome: 'repointed' });
    expect(world.repoints).toHaveLength(1);
  });

  test('a request that was lost on its way is given up by looking, and the decision is tried again', async () => {
    const { world, steps, renamed } = scene('lost-request');
    await renamed('t1', 'orders');
    world.beforeRepoint = async () => {
      world.beforeRepoint = undefined;
      ahead += 44_000;
      throw new Error('the connection broke');
    };
    await steps.decide('sales/t1', 'repoint');
    await until('it is re-pointed', 45_000, () => world.repoints.length === 1);
    await until('both outcomes are on record', patienceMs, async () => (await steps.removals()).length === 2);
    expect((await steps.removals()).map(({ outcome }) => outcome)).toEqual(['repointed', 'abandoned']);
    expect(pathText(world.repoints[0]?.to ?? ['nowhere'])).toBe('sales/orders');
  });
});
