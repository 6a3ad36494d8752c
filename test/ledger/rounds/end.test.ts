import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';
import { absent, hour, look, openInput, present, shop, t0, unknown, wholeRound } from './scene.ts';

let open: TestLedger;
beforeAll(async () => {
  open = await openTestLedger();
});
beforeEach(() => open.reset());
afterAll(() => open.close());

const reason = { type: 'SourceUnreachable', code: 'ECONNREFUSED', message: 'nobody listens' } as const;

describe('the end of a round that publishes nothing', () => {
  test.each([
    ['unreachable', 'unreachable'],
    ['incomplete', 'incomplete'],
    ['failed', 'failed'],
    ['source-changed', 'source-changed'],
    ['cancelled', 'failed'],
  ] as const)('%s leaves the catalog %s, and what was published stays', async (state, after) => {
    await wholeRound(open.ledger, 'r1', [{ path: 's/a', verdict: absent() }], { hold: ['new-epoch'] });
    await open.ledger.rounds.open(openInput('r2', { now: t0 + hour }));
    await look(open.ledger, 'r2', [
      { path: 's/a', verdict: present() },
      { path: 's/b', verdict: unknown() },
      { path: 's/c' },
    ]);
    const ended = await open.ledger.rounds.end({ id: 'r2', state, reason, now: t0 + 2 * hour });
    expect(ended).toMatchObject({
      id: 'r2',
      state,
      reason,
      endedAt: t0 + 2 * hour,
      hold: [],
      counts: {
        registrations: 3,
        eligible: 3,
        verdicts: {
          present: 1,
          unknown: 1,
        },
        open: 1,
        due: 0,
      },
    });
    expect(await open.ledger.rounds.round('r2')).toEqual(ended);
    expect(await open.ledger.catalogs.catalog(shop)).toMatchObject({
      state: after,
      stateReason: reason,
      stateSince: t0 + 2 * hour,
      published: {
        id: 'r1',
        at: t0,
      },
      hold: ['new-epoch'],
    });
  });

  test('stays as it is when it is ended again, otherwise or later', async () => {
    await open.ledger.rounds.open(openInput('r1'));
    const ended = await open.ledger.rounds.end({ id: 'r1', state: 'unreachable', reason, now: t0 });
    expect(await open.ledger.rounds.end({ id: 'r1', state: 'failed', now: t0 + 1 })).toEqual(ended);
    expect(await open.ledger.catalogs.catalog(shop)).toMatchObject({ state: 'unreachable', stateReason: reason });
  });

  test('does not undo a published round', async () => {
    await wholeRound(open.ledger, 'r1', []);
    expect(await open.ledger.rounds.end({ id: 'r1', state: 'failed', now: t0 })).toMatchObject({ state: 'published' });
    expect(await open.ledger.catalogs.catalog(shop)).toMatchObject({ state: 'ok' });
  });

  test('counts from when the catalog came into this state', async () => {
    for (const [index, id] of ['r1', 'r2'].entries()) {
      const now = t0 + index * hour;
      await open.ledger.rounds.open(openInput(id, { now }));
      await open.ledger.rounds.end({ id, state: 'unreachable', reason: { ...reason, code: id }, now });
    }
    expect(await open.ledger.catalogs.catalog(shop)).toMatchObject({ stateSince: t0, stateReason: { code: 'r2' } });
  });
});

describe('the end of a dry scan', () => {
  test.each(['scanned', 'unreachable', 'cancelled'] as const)('%s leaves the catalog alone', async (state) => {
    await wholeRound(open.ledger, 'r1', []);
    const before = await open.ledger.catalogs.catalog(shop);
    await open.ledger.rounds.open(openInput('s1', { dry: true }));
    expect(await open.ledger.rounds.end({ id: 's1', state, now: t0 + hour })).toMatchObject({
      state,
      dry: true,
      seq: 0,
    });
    expect(await open.ledger.catalogs.catalog(shop)).toEqual(before);
  });

  test('is no end for a round that judges', async () => {
    await open.ledger.rounds.open(openInput('r1'));
    await expect(open.ledger.rounds.end({ id: 'r1', state: 'scanned', now: t0 })).rejects.toMatchObject({
      type: 'InvalidRequest',
    });
  });
});

test('a round that was never opened cannot end', async () => {
  await expect(open.ledger.rounds.end({ id: 'r9', state: 'failed', now: t0 })).rejects.toMatchObject({
    type: 'InvalidRequest',
    code: 'no-such-round',
  });
});
