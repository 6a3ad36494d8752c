import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pathText } from '../../src/domain/path.ts';
import type { RestoreRecord } from '../../src/ledger/ledger.ts';
import { temporalAddress } from '../support/temporal-server.ts';
import { until } from '../support/until.ts';
import { World } from '../support/world/world.ts';
import { openWorldHouse, type WorldHouse } from '../support/world/world-house.ts';
import { ada, patienceMs, stepsIn } from '../support/world/world-steps.ts';

const catalogs = ['attended', 'a-schema', 'lost-answer', 'paused', 'refused', 'came-back'] as const;

describe('restoring', { timeout: 60_000 }, () => {
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
    const name = { metalake: 'world', catalog };
    const steps = stepsIn(house, name);
    /** Rounds, an approval, and the removal of one path. */
    const removed = async (path: string): Promise<string> => {
      await steps.round();
      world.drop(path.split('/') as [string, ...string[]]);
      await steps.round();
      await steps.round();
      await steps.decide(path);
      const { id, outcome } = await steps.outcomeAt(path);
      expect(outcome).toBe('removed');
      return id;
    };
    /** As the API does: the wish on record, then the review woken. */
    const wish = async (removal: string): Promise<string> => {
      const id = `restore of ${removal}`;
      const { answer } = await house.ledger.restores.request({
        id,
        catalog: steps.catalog,
        removal,
        actor: ada,
        canRestore: true,
        now: house.now(),
      });
      expect(answer).toBe('requested');
      await house.gateway.wakeReview(name, 'restore');
      return id;
    };
    const settled = async (id: string, withinMs = patienceMs): Promise<RestoreRecord> => {
      const find = () => house.ledger.restores.restore(id);
      await until('the restore is settled', withinMs, async () => (await find())?.state === 'settled');
      const found = await find();
      if (found === undefined) throw new Error(`restore ${id} vanished`);
      return found;
    };
    return { world, name, steps, removed, wish, settled };
  }

  test('B64 B65 what was removed comes back under its id, short of what cannot, which is told item by item', async () => {
    const { world, steps, removed, wish, settled } = scene('attended');
    const id = world.at(['sales', 't1'])?.id ?? 'nothing';
    const attachments = {
      owner: 'ada',
      tags: ['audit', 'gold', 'pii'],
      policies: ['mask'],
      grants: [{ principal: 'ann', privilege: 'select' }],
      properties: { format: 'delta' },
    };
    world.touch(id, { ...attachments, secrets: ['password'] });
    const before = world.registrations.get(id);
    const removal = await removed('sales/t1');
    expect(world.registrations.has(id)).toBe(false);
    world.tags = new Set(['audit', 'pii']);
    const restore = await settled(await wish(removal));
    expect(restore).toMatchObject({ outcome: 'restored', entities: 1, actor: ada });
    expect(restore.warnings.map(({ path, what }) => `${pathText(path)}: ${what}`)).toEqual([
      'sales/t1: tag gold: there is no such tag any more',
      'sales/t1: secret password: secrets are never saved',
    ]);
    expect(world.registrations.get(id)).toEqual({
      ...before,
      version: '3',
      attachments: { ...attachments, tags: ['audit', 'pii'] },
    });
    // Still absent, so there is a finding again, and nothing acts on it.
    await steps.round();
    await steps.round();
    expect((await steps.findingAt('sales/t1')).decision).toMatchObject({ action: 'keep', actor: ada });
    expect(world.removals).toHaveLength(1);
    const audit = await house.ledger.audit.page({ catalog: steps.catalog, limit: 500 });
    expect(audit.filter(({ subject }) => subject === restore.id)).toMatchObject([
      { action: 'restore-requested', actor: ada, detail: { removal, path: 'sales/t1' } },
      { action: 'restore-settled', actor: ada, detail: { removal, outcome: 'restored' } },
    ]);
    expect(world.restores).toMatchObject([{ id, actor: 'ada' }]);
  });

  test('a schema comes back with everything inside, and under auto-remove the next rounds leave it alone', async () => {
    const { world, steps, removed, wish, settled } = scene('a-schema');
    world.add(['crm', 'a']);
    world.add(['crm', 'b']);
    const removal = await removed('crm');
    await house.policy({ mode: 'auto-remove', approveAttended: false }, 1);
    expect(await settled(await wish(removal))).toMatchObject({ outcome: 'restored', entities: 3 });
    // The first round under a laxer policy only reports, the second announces, the third could act.
    for (let round = 0; round < 4; round += 1) await steps.round();
    expect(world.at(['crm', 'a'])).toBeDefined();
    expect(world.removals).toHaveLength(3);
    await house.policy();
  });

  test('an answer that was lost after it was done is no second restore, and its outcome is known in the end', async () => {
    const { world, removed, wish, settled } = scene('lost-answer');
    const removal = await removed('sales/t1');
    world.afterRestore = async () => {
      world.afterRestore = undefined;
      throw new Error('the connection broke');
    };
    expect(await settled(await wish(removal))).toMatchObject({ outcome: 'restored' });
    expect(world.restores).toHaveLength(1);
  });

  test('a pause, which keeps removals waiting, does not keep it', async () => {
    const { name, steps, removed, wish, settled, world } = scene('paused');
    const removal = await removed('sales/t1');
    await house.ledger.decisions.pause(steps.catalog, { by: 'ada', reason: 'a look', at: house.now() }, ada);
    await house.gateway.wakeReview(name, 'paused');
    expect(await settled(await wish(removal))).toMatchObject({ outcome: 'restored' });
    expect(world.at(['sales', 't1'])).toBeDefined();
  });

  test('a name that is registered again is refused, the keep ends, and once it is free it can be wished again', async () => {
    const { world, steps, removed, wish, settled } = scene('refused');
    const removal = await removed('sales/t1');
    const taker = world.register(['sales', 't1']);
    const restore = await settled(await wish(removal));
    expect(restore).toMatchObject({ outcome: 'refused', outcomeReason: 'already-exists', warnings: [] });
    expect(world.at(['sales', 't1'])).toEqual(taker);
    const [keep] = await house.ledger.decisions.decisions(steps.catalog, { limit: 1 }, house.now());
    expect(keep).toMatchObject({ action: 'keep', state: 'void', stateWhy: 'not-restored' });
    world.registrations.delete(taker.id);
    const again = { id: 'again', catalog: steps.catalog, removal, actor: ada, canRestore: true, now: house.now() };
    expect(await house.ledger.restores.request(again)).toMatchObject({ answer: 'requested' });
    await house.gateway.wakeReview({ metalake: 'world', catalog: 'refused' }, 'restore');
    expect(await settled('again')).toMatchObject({ outcome: 'restored' });
  });

  test('one whose name has an object again is left to a person: it is another object than the one that was dropped', async () => {
    const { world, steps, removed, wish, settled } = scene('came-back');
    const removal = await removed('sales/t1');
    expect(await settled(await wish(removal))).toMatchObject({ outcome: 'restored' });
    world.create(['sales', 't1']);
    await steps.round();
    expect((await steps.findings()).map(({ standing }) => standing.verdict)).toEqual(['replaced']);
    expect(world.removals).toHaveLength(1);
  });
});
