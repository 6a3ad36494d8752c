import { reconciler } from '../src/domain/actor.ts';
import { pathText } from '../src/domain/path.ts';
import { defaultPolicy } from '../src/domain/policy.ts';
import { openTestLedger } from '../test/support/ledger.ts';
import { until } from '../test/support/until.ts';
import { World } from '../test/support/world/world.ts';
import { worldDeps } from '../test/support/world/world-house.ts';
import { type Figure, figure, median } from './figure.ts';
import { startHouse } from './house.ts';
import type { Workshop } from './workshop.ts';

const removed = 60;
const perSecond = 4;
const name = { metalake: 'world', catalog: 'removing' };
const key = pathText([name.metalake, name.catalog]);

/** Removals at a configured pace: how well it is kept, and how long ago the source was asked when the registry acts. */
export async function measureRemovals(workshop: Workshop): Promise<readonly Figure[]> {
  const postgres = await workshop.postgres();
  await postgres.sql('create database removals_ledger');
  const { ledger } = await workshop.keep(openTestLedger(postgres.url('removals_ledger')));
  const world = new World(name.catalog);
  for (let table = 0; table < removed * 20; table += 1) world.add(['sales', `t${table}`]);
  await ledger.catalogs.ensure(name.metalake, name.catalog, Date.now());
  await ledger.catalogs.applyPolicy({
    catalog: key,
    policy: { ...defaultPolicy, graceMs: 0, minimumAgeMs: 0, removalsPerSecond: perSecond },
    intervalMs: 3_600_000,
    actor: reconciler,
    now: Date.now(),
  });
  const gateway = await startHouse(workshop, worldDeps(world, ledger, Date.now));
  const round = async (): Promise<void> => {
    await gateway.awaitRound(await gateway.startRound(name, { dry: false, actor: reconciler }), 120_000);
  };
  await round();
  for (let table = 0; table < removed; table += 1) world.drop(['sales', `t${table}`]);
  await round();
  await round();

  const windows = windowsOf(world);
  const open = await ledger.findings.page({ catalog: key, state: 'open', limit: 1_000 }, Date.now());
  await gateway.decide(name, {
    items: open.map(({ id, digest }) => ({ findingId: id, digest, action: 'approve' })),
    actor: reconciler,
    requestKey: 'bench',
    notAfter: Date.now() + 60_000,
  });
  await until('everything is removed', 180_000, () => world.removals.length === removed, 100);
  const times = (await ledger.removals.page({ catalog: key, limit: removed }))
    .map(({ at }) => at)
    .sort((a, b) => a - b);
  const took = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1_000;
  const pace = (removed - 1) / took;
  return [
    figure(`pace of ${removed} removals off ${perSecond} a second`, Math.abs(pace / perSecond - 1) * 100, '%', 5),
    figure('last probe to the act, median', median(windows()), 'ms'),
    figure('last probe to the act, longest', Math.max(...windows()), 'ms'),
  ];
}

/** The time from each removal's last answer of the source to the moment at which the registry acts. */
function windowsOf(world: World): () => readonly number[] {
  const windows: number[] = [];
  let askedAt = 0;
  world.beforeAnswer = async () => {
    askedAt = performance.now();
  };
  world.beforeRemove = async () => {
    windows.push(performance.now() - askedAt);
  };
  return () => windows;
}
