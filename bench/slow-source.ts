import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { ActivityDeps } from '../src/activities/deps.ts';
import { compilePatterns } from '../src/config/patterns.ts';
import { reconciler } from '../src/domain/actor.ts';
import { openTestLedger } from '../test/support/ledger.ts';
import { World } from '../test/support/world/world.ts';
import { worldRegistry } from '../test/support/world/world-registry.ts';
import { worldSource } from '../test/support/world/world-source.ts';
import { type Figure, figure, secondsOf } from './figure.ts';
import { startHouse } from './house.ts';
import type { Workshop } from './workshop.ts';

const objects = 10_000;
const callMs = 40;
const inFlight = 16;

/** A source that takes one question a call, against what 16 calls at a time would take if nothing else took any time. */
export async function measureSlowSource(workshop: Workshop): Promise<readonly Figure[]> {
  const postgres = await workshop.postgres();
  await postgres.sql('create database slow_source_ledger');
  const ledger = await workshop.keep(openTestLedger(postgres.url('slow_source_ledger')));
  const world = tenThousandObjects();
  const registry = worldRegistry(world);
  const source = worldSource(world, { batchSize: 1 });
  const deps: ActivityDeps = {
    ledger: ledger.ledger,
    clock: Date.now,
    allowTemporalSignals: false,
    registryOf: () => registry,
    sourceOf: async () => ({ source, connection: { world: world.catalog }, probesInFlight: inFlight }),
    patternsOf: compilePatterns,
    hash: (text) => createHash('sha256').update(text).digest('hex'),
  };
  const gateway = await startHouse(workshop, deps);
  const round = async (): Promise<void> => {
    const run = await gateway.startRound(
      { metalake: 'world', catalog: world.catalog },
      { dry: false, actor: reconciler },
    );
    const result = await gateway.awaitRound(run, 300_000);
    if (result?.end !== 'published') throw new Error(`a round was not published: ${JSON.stringify(result)}`);
  };
  await round(); // to get warm, and so that identities are known

  const calls = answerSlowly(world);
  const seconds = await secondsOf(round);
  if (calls.most() > inFlight) throw new Error(`${calls.most()} calls were under way at once`);
  const ideal = (world.registrations.size * callMs) / inFlight / 1_000;
  workshop.tell(`whole round ${seconds.toFixed(2)} s, ideal ${ideal.toFixed(2)} s, ${calls.most()} calls at once`);
  const what = `round of ${world.registrations.size}, one ${callMs} ms call each, ${inFlight} at once`;
  return [
    figure(`${what} / ideal`, seconds / ideal, 'x', 1.15),
    figure('such calls alone / ideal', await callsAlone(), 'x'),
    figure(what, seconds, 's'),
  ];
}

/** What the machine makes of the ideal at this moment: on a busy one timers fire late, which is nobody's work. */
async function callsAlone(): Promise<number> {
  const rounds = 100;
  const caller = async (): Promise<void> => {
    for (let call = 0; call < rounds; call += 1) await wait(callMs);
  };
  const seconds = await secondsOf(() => Promise.all(Array.from({ length: inFlight }, caller)));
  return (seconds * 1_000) / (rounds * callMs);
}

function tenThousandObjects(): World {
  const world = new World('slow');
  const attachments = { tags: [], policies: [], grants: [], properties: {} };
  const schemas = Array.from({ length: 100 }, (_, schema) => [`s${schema}`] as const);
  const tables = schemas.flatMap(([schema]) =>
    Array.from({ length: objects / schemas.length - 1 }, (_, table) => [schema, `t${table}`] as const),
  );
  // Put in by hand: the world looks for containers one by one, which takes its time with so many.
  for (const path of [...schemas, ...tables]) {
    const { uid } = world.create(path);
    const kind = path.length === 1 ? 'schema' : 'table';
    world.registrations.set(uid, { id: uid, kind, path, version: '1', createdAt: 0, managed: false, attachments });
  }
  return world;
}

function answerSlowly(world: World): { most(): number } {
  let underWay = 0;
  let most = 0;
  world.beforeAnswer = async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await wait(callMs);
    underWay -= 1;
  };
  return { most: () => most };
}
