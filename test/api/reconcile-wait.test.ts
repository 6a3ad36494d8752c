import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lookUntil, orPatienceEnds, patience } from '../../src/api/reconcile/patience.ts';
import type { RoundResult } from '../../src/contract/round-messages.ts';
import { removals, verdicts } from '../../src/ledger/schema.ts';
import { absent, openInput, wholeRound } from '../ledger/rounds/scene.ts';
import { seedCatalog } from '../ledger/seed.ts';
import type { TestLedger } from '../support/ledger.ts';
import { type ApiHouse, expectProblem, key, openHouse, openTestLedger, shopAddress, t0 } from './api-house.ts';

let at: TestLedger;
let house: ApiHouse;
beforeAll(async () => {
  at = await openTestLedger();
});
beforeEach(async () => {
  await at.reset();
  house = await openHouse(at);
});
afterEach(() => house.close());
afterAll(() => at.close());

const reconcile = (payload?: object, headers = {}) =>
  house.app.inject({ method: 'POST', url: `${shopAddress}/reconcile`, headers, ...(payload && { payload }) });

describe('waiting', () => {
  test.each([
    [undefined, 30_000],
    ['wait=5', 5_000],
    ['respond-async, wait=7', 7_000],
    ['WAIT = 3; foo', 3_000],
    ['wait=100000', 120_000],
    ['wait=soon', 30_000],
    ['wait=-1', 30_000],
    ['wait=1.5', 30_000],
  ])('Prefer: %s', async (prefer, waitMs) => {
    await reconcile({}, prefer === undefined ? {} : { prefer });
    const [waited = 0] = house.gateway.waited;
    // what finding the catalog and starting the round took is no longer there to wait
    expect(waited).toBeGreaterThan(waitMs - 2_000);
    expect(waited).toBeLessThanOrEqual(waitMs);
  });

  test('a scan that outlasts the wait is 202 with an address that tells of it', async () => {
    await seedCatalog(at.db);
    await at.ledger.rounds.open(openInput('r1'));
    const answer = await reconcile({});
    expect(answer.statusCode).toBe(202);
    const round = `${shopAddress}/rounds/r1`;
    expect(answer.headers).toMatchObject({ location: round, 'retry-after': '2' });
    expect(answer.json()).toEqual({
      catalog: 'shop',
      roundId: 'r1',
      dryRun: false,
      joined: false,
      round,
      absent: `${round}/absent`,
    });
    expect((await house.app.inject({ url: round })).json()).toMatchObject({ id: 'r1', state: 'running' });
  });

  test('who will not wait gets the address, even of a round that is over', async () => {
    house.gateway.result = { end: 'unreachable' };
    house.gateway.joined = true;
    const answer = await reconcile({}, { prefer: 'wait=0' });
    expect([answer.statusCode, answer.json().joined]).toEqual([202, true]);
  });

  test('losing sight of a round that was started is no error: it goes on', async () => {
    house.gateway.awaitRound = async () => {
      house.gateway.away = true;
      return house.gateway.ping().then(() => undefined);
    };
    expect((await reconcile()).statusCode).toBe(202);
  });

  test('nothing was started where Temporal is away', async () => {
    house.gateway.away = true;
    const answer = await reconcile();
    expectProblem(answer, 'temporal-unavailable', 503);
    expect(answer.headers['retry-after']).toBe('7');
  });
});

describe('removals that the round made due', () => {
  const due: Partial<RoundResult> = { end: 'published', due: 1 };

  /** A published round that saw `gone` and `left` absent; removals of it are what `steps` says, look by look. */
  async function withSteps(steps: readonly ('remove' | 'settle' | 'wait')[], onLook: (look: number) => Promise<void>) {
    await house.close();
    let looks = 0;
    house = await openHouse(at, {
      ledger: (real) => ({
        ...real,
        removals: {
          ...real.removals,
          next: async () => {
            await onLook((looks += 1));
            const step = steps[looks - 1] ?? 'wait';
            if (step === 'wait') return { step, why: 'report-only', open: 1 };
            return { step: 'remove', finding: 'f', path: ['gone'], kind: 'schema' };
          },
        },
      }),
    });
    await wholeRound(at.ledger, 'r1', [
      { path: 'gone', verdict: absent() },
      { path: 'gone/inner', verdict: absent(), kind: 'schema' },
      { path: 'left', verdict: absent() },
    ]);
    return () => looks;
  }

  async function remove(path: string): Promise<void> {
    const [finding] = await at.ledger.findings.page({ catalog: key, state: 'open', limit: 1 }, t0);
    if (finding?.path.join('/') !== path) throw new Error(`no finding at ${path}`);
    const { id, entity } = finding;
    await at.db.insert(removals).values({
      id: 'i1',
      catalog: key,
      finding: id,
      entity,
      kind: 'schema',
      path,
      actor: { name: 'reconciler', verified: true, via: 'reconciler' },
      outcome: 'removed',
      reason: 'gone',
      entities: 2,
      evidence: 'seen',
      at: t0,
    });
  }

  test('are waited for, so that `removed` tells; what was inside went with it', async () => {
    const looks = await withSteps(['remove', 'settle', 'wait'], async (look) => {
      if (look === 3) await remove('gone');
    });
    house.gateway.result = due;
    expect((await reconcile()).json().staleSchemas).toEqual([
      { name: 'gone', detectedAt: t0, removed: true },
      { name: 'gone.inner', detectedAt: t0, removed: true },
      { name: 'left', detectedAt: t0, removed: false },
    ]);
    expect(looks()).toBe(3);
  });

  test('are not waited for longer than the caller asked', async () => {
    const looks = await withSteps(
      Array.from({ length: 1_000_000 }, () => 'remove'),
      async () => {},
    );
    house.gateway.result = due;
    const answer = await reconcile({}, { prefer: 'wait=1' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json().staleSchemas).toHaveLength(3);
    expect(looks()).toBeGreaterThan(1);
  });

  test('a round that made nothing due is answered at once', async () => {
    const looks = await withSteps(['remove'], async () => {});
    house.gateway.result = { end: 'published', due: 0 };
    await reconcile();
    expect(looks()).toBe(0);
  });

  test('a newer round does not make the list of this scan shorter', async () => {
    await withSteps(['remove', 'wait'], async (look) => {
      if (look === 2) await at.db.delete(verdicts);
    });
    house.gateway.result = due;
    expect((await reconcile()).json().staleSchemas).toHaveLength(3);
  });
});

describe('patience', () => {
  const never = new AbortController().signal;

  test('ends with the caller: nothing is looked at for somebody who left', async () => {
    const left = new AbortController();
    let looks = 0;
    const look = async () => {
      looks += 1;
      if (looks === 2) left.abort();
      return { done: false, seen: looks };
    };
    expect(await lookUntil(look, patience(60_000, left.signal), 1)).toBe(2);
    expect(looks).toBe(2);
  });

  test('is over while a pause lasts, too', async () => {
    const left = new AbortController();
    const looking = lookUntil(async () => ({ done: false, seen: 'as it was' }), patience(60_000, left.signal), 30_000);
    left.abort();
    expect(await looking).toBe('as it was');
  });

  test('of nothing still looks once', async () => {
    expect(await lookUntil(async () => ({ done: false, seen: 'seen' }), patience(0, never), 1)).toBe('seen');
  });

  test('gives the result, the error, or nothing when it ends first', async () => {
    expect(await orPatienceEnds(Promise.resolve(5), patience(1_000, never))).toBe(5);
    await expect(orPatienceEnds(Promise.reject(new Error('no')), patience(1_000, never))).rejects.toThrow('no');
    const left = new AbortController();
    const waiting = orPatienceEnds(new Promise(() => {}), patience(1_000, left.signal));
    left.abort();
    expect(await waiting).toBeUndefined();
    expect(await orPatienceEnds(Promise.reject(new Error('late')), patience(1_000, left.signal))).toBeUndefined();
  });
});
