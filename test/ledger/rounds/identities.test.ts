import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Verdict } from '../../../src/domain/verdict.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';
import {
  absent,
  hour,
  look,
  openInput,
  present,
  proof,
  publishing,
  replaced,
  shop,
  t0,
  unknown,
  wholeRound,
} from './scene.ts';

let open: TestLedger;
beforeAll(async () => {
  open = await openTestLedger();
});
beforeEach(() => open.reset());
afterAll(() => open.close());

const round = (id: string, verdict: Verdict, over: { readonly fingerprint?: string } = {}) =>
  wholeRound(open.ledger, id, [{ path: 's/a', verdict }], { now: t0 + Number(id.slice(1)) * hour, ...over });

async function remembered(): Promise<unknown> {
  const id = `look ${crypto.randomUUID()}`;
  await open.ledger.rounds.open(openInput(id, { dry: true, now: t0 + 100 * hour }));
  await look(open.ledger, id, [{ path: 's/a' }]);
  const [target] = await open.ledger.rounds.targets(id, shop, { from: 0, to: 1 }, 1);
  return target?.remembered;
}

describe('whom a published round saw present', () => {
  test('is remembered', async () => {
    expect(await remembered()).toBeUndefined();
    await round('r1', present('1'));
    expect(await remembered()).toEqual({ uid: '1', found: 'table' });
  });

  test.each<[string, Verdict]>([
    ['absent', absent('1')],
    ['replaced', replaced('2')],
    ['renamed', { kind: 'renamed', code: 'x', uid: '1', movedTo: ['s', 'b'], taken: false }],
    ['unknown', unknown()],
    ['present, for once without identity', present()],
  ])('stays remembered while it is %s', async (_name, verdict) => {
    await round('r1', present('1'));
    await round('r2', verdict);
    expect(await remembered()).toEqual({ uid: '1', found: 'table' });
  });

  test('is known by kind alone where the source has no identities, until it has', async () => {
    await round('r1', present());
    expect(await remembered()).toEqual({ found: 'table' });
    await round('r2', { ...present('1'), kind: 'present', found: 'partitioned-table' });
    expect(await remembered()).toEqual({ uid: '1', found: 'partitioned-table' });
  });

  test('is forgotten where another system answers', async () => {
    await round('r1', present('1'));
    await round('r2', absent('1'), { fingerprint: 'f2' });
    expect(await remembered()).toBeUndefined();
  });

  test('is not remembered from a round that was never published, nor from a dry scan', async () => {
    await open.ledger.rounds.open(openInput('r1'));
    await look(open.ledger, 'r1', [{ path: 's/a', verdict: present('1') }]);
    await open.ledger.rounds.end({ id: 'r1', state: 'unreachable', now: t0 });
    await open.ledger.rounds.open(openInput('s1', { dry: true }));
    await look(open.ledger, 's1', [{ path: 's/a', verdict: present('1') }]);
    await open.ledger.rounds.end({ id: 's1', state: 'scanned', now: t0 });
    expect(await remembered()).toBeUndefined();
  });

  test('is known to the next round, whether or not the prober passes on what it was told', async () => {
    await round('r1', present('1'));
    await open.ledger.rounds.open(openInput('r2'));
    await open.ledger.rounds.appendSnapshot('r2', [
      { row: 0, entity: 'id of s/a', kind: 'table', path: ['s', 'a'], version: 'v1', createdAt: t0, mark: 'probe' },
    ]);
    const [target] = await open.ledger.rounds.targets('r2', shop, { from: 0, to: 1 }, 1);
    if (target?.remembered === undefined) throw new Error('nothing remembered');
    await open.ledger.rounds.recordVerdicts('r2', [
      { row: 0, verdict: present('2'), evidence: proof, probedAt: t0, remembered: target.remembered },
    ]);
    await open.ledger.rounds.publish(publishing('r2'));
    expect(await remembered()).toEqual({ uid: '2', found: 'table' });
  });
});
