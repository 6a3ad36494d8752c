import { WorkflowUpdateFailedError } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signals, updates } from '../../src/contract/names.ts';
import type { FindingRecord } from '../../src/ledger/ledger.ts';
import { openTestLedger, type TestLedger } from '../support/ledger.ts';
import { temporalAddress } from '../support/temporal-server.ts';
import { until } from '../support/until.ts';
import { type GatedLedger, gatedLedger } from '../support/world/gated-ledger.ts';
import { World } from '../support/world/world.ts';
import { openWorldHouse, type WorldHouse } from '../support/world/world-house.ts';
import { ada, patienceMs, stepsIn } from '../support/world/world-steps.ts';

const clients = 8;
const updatesEach = 100;
const signalled = 200;
/** Of the updates, as many as are sent by two clients at once under one key. */
const twice = 20;

describe('decisions while the review renews itself', { timeout: 60_000 }, () => {
  let house: WorldHouse;
  let opened: TestLedger;
  let gated: GatedLedger;
  const worlds = new Map<string, World>();
  beforeAll(async () => {
    for (const name of ['renewed', 'cancelled']) {
      const world = new World(name);
      for (let table = 0; table < 30; table += 1) world.add(['sales', `t${table}`]);
      worlds.set(name, world);
    }
    const [first, ...beside] = [...worlds.values()];
    if (first === undefined) throw new Error('no catalog');
    opened = await openTestLedger();
    gated = gatedLedger(opened.ledger);
    house = await openWorldHouse(first, await temporalAddress(), {
      beside,
      ledger: { ...opened, ledger: gated.ledger },
    });
  });
  afterAll(async () => {
    await house?.close();
    await opened?.close();
  });

  test.each(['renewed', 'cancelled'])(
    'B94 what is signalled meanwhile is carried out, also if it is %s',
    async (name) => {
      const world = worlds.get(name);
      const steps = stepsIn(house, { metalake: 'world', catalog: name });
      await steps.round();
      for (const table of ['t1', 't2']) world?.drop(['sales', table]);
      await steps.round();
      await steps.round();
      const review = steps.reviewHandle();
      const { runId } = await review.describe();
      // One decision is under way, so that the run cannot renew itself when its time has come.
      const held = gated.hold(steps.catalog, 'decisions.decide');
      const deciding = steps.decide('sales/t1', 'reject');
      await held.reached;
      await Promise.all(Array.from({ length: 501 }, () => review.signal(signals.wake, { why: 'a test' })));
      const isRenewing = async (): Promise<boolean> => {
        const { id, digest } = await steps.findingAt('sales/t2');
        const probe = { items: [{ findingId: id, digest, action: 'keep' }], actor: ada, requestKey: 'no', notAfter: 1 };
        const refused = await review.executeUpdate(updates.decide, { args: [probe] }).catch((error: unknown) => error);
        return refused instanceof WorkflowUpdateFailedError;
      };
      await until('it is about to renew itself', patienceMs, isRenewing);
      const { id, digest } = await steps.findingAt('sales/t2');
      await review.signal(signals.approve, { items: [{ findingId: id, digest }], actor: 'bob' });
      if (name === 'cancelled') await review.cancel();
      held.open();
      expect(await deciding).toMatchObject({ answer: 'accepted' });
      const run = house.client.workflow.getHandle(review.workflowId, runId);
      await until('the run has ended', patienceMs, async () => (await run.describe()).status.name !== 'RUNNING');
      expect((await run.describe()).status.name).toBe(name === 'cancelled' ? 'CANCELLED' : 'CONTINUED_AS_NEW');
      const approved = async () =>
        (await house.ledger.decisions.decisions(steps.catalog, { finding: id, limit: 5 }, house.now())).length;
      await until('it is on record', patienceMs, async () => (await approved()) === 1);
      // A cancelled review comes back with the next round.
      if (name === 'cancelled') await steps.round();
      expect(await steps.outcomeAt('sales/t2')).toMatchObject({ outcome: 'removed', actor: { name: 'bob' } });
    },
  );
});

describe('a stream of a thousand decisions', { timeout: 240_000 }, () => {
  let house: WorldHouse;
  beforeAll(async () => {
    const world = new World('streamed');
    for (let table = 0; table < 30; table += 1) world.add(['sales', `t${table}`]);
    house = await openWorldHouse(world, await temporalAddress());
    // Nothing ripens, so that everything that is decided stays to be counted.
    await house.policy({ misses: 9 });
  });
  afterAll(() => house?.close());

  test('B94 B86 each is accepted once and recorded once, over every renewal of the review', async () => {
    const { world } = house;
    const steps = stepsIn(house);
    await steps.round();
    for (let table = 0; table < 10; table += 1) world.drop(['sales', `t${table}`]);
    await steps.round();
    const findings = await steps.findings();
    expect(findings).toHaveLength(10);
    const of = (number: number): FindingRecord => findings[number % findings.length] as FindingRecord;
    const review = steps.reviewHandle();
    const runs = new Set<string>();
    const noteRun = async (): Promise<void> => void runs.add((await review.describe()).runId);

    const send = async (requestKey: string, number: number) => {
      const { id, digest } = of(number);
      const sent = await house.gateway.decide(house.name, {
        items: [{ findingId: id, digest, action: number % 2 === 0 ? 'reject' : 'approve' }],
        actor: ada,
        requestKey,
        notAfter: house.now() + 120_000,
      });
      if (sent.status !== 'answered') throw new Error(`${requestKey} was sent and not answered`);
      return sent.result.answers;
    };
    const client = async (which: number): Promise<void> => {
      for (let number = 0; number < updatesEach; number += 1) {
        const key = `client ${which}, decision ${number}`;
        const again = which === 0 && number < twice ? [send(key, number)] : [];
        const [first, ...others] = await Promise.all([send(key, number), ...again]);
        expect(first).toMatchObject([{ answer: 'accepted' }]);
        // Sent twice it decides once, and both are told of that one decision.
        for (const other of others) {
          const decided = (answers: unknown) => (answers as { readonly decisionId: string }[])[0]?.decisionId;
          expect(decided(other)).toBe(decided(first));
        }
        // Decides nothing and counts as a message, so that the review renews itself more often: after 500 of any kind.
        await review.signal(signals.wake, { why: 'a test' });
        if (number % 10 === 0) await noteRun();
      }
    };
    const signaller = async (): Promise<void> => {
      for (let number = 0; number < signalled; number += 1) {
        const { id, digest } = of(number);
        await review.signal(signals.approve, { items: [{ findingId: id, digest }], actor: 'bob', reason: `${number}` });
      }
    };
    await Promise.all([...Array.from({ length: clients }, (_, which) => client(which)), signaller()]);

    const recorded = async () => {
      const all = await Promise.all(findings.map(({ id }) => decisionsOf(id)));
      return all.flat();
    };
    const decisionsOf = (finding: string) =>
      house.ledger.decisions.decisions(steps.catalog, { finding, limit: 500 }, house.now());
    const bySignal = async () => (await recorded()).filter(({ actor }) => actor.via === 'temporal');
    await until('the signals are carried out', patienceMs, async () => (await bySignal()).length >= signalled, 500);
    await noteRun();

    const decisions = await recorded();
    expect(decisions).toHaveLength(clients * updatesEach + signalled);
    const reasons = (await bySignal()).map(({ reason }) => Number(reason)).sort((a, b) => a - b);
    expect(reasons).toEqual(Array.from({ length: signalled }, (_, number) => number));
    // What was decided last holds, and nothing else of that registration.
    expect(decisions.filter(({ state }) => state === 'active')).toHaveLength(findings.length);
    const audit = await house.ledger.audit.page({ after: 0, limit: 5_000, catalog: steps.catalog });
    const accepted = audit
      .filter(({ action }) => action === 'decision-accepted')
      .map(({ detail }) => detail['decision']);
    expect(new Set(accepted)).toEqual(new Set(decisions.map(({ id }) => id)));
    expect(accepted).toHaveLength(decisions.length);
    expect(runs.size).toBeGreaterThanOrEqual(4);
    expect(world.removals).toEqual([]);
  });
});
