import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { decisions, overrides } from '../../../src/ledger/schema.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';
import { absent, hour, look, openInput, present, proof, type Seen, shop, t0, unknown, wholeRound } from './scene.ts';

let open: TestLedger;
beforeAll(async () => {
  open = await openTestLedger();
});
beforeEach(() => open.reset());
afterAll(() => open.close());

const seen: readonly Seen[] = [
  { path: 's', verdict: present() },
  { path: 's/a', verdict: absent() },
  { path: 's/b', verdict: absent() },
  { path: 's/c', verdict: unknown() },
  { path: 's/d' },
  { path: 's/e', mark: 'managed' },
  { path: 's/f', mark: 'excluded' },
];

async function keep(path: string, over: Partial<typeof decisions.$inferInsert> = {}): Promise<void> {
  await open.db.insert(decisions).values({
    id: `keep ${path} ${over.id ?? ''}`,
    catalog: shop,
    finding: 'f',
    entity: `id of ${path}`,
    digest: 'd',
    action: 'keep',
    actor: { name: 'anna', verified: true, via: 'api' },
    requestKey: `${path} ${over.state ?? ''}`,
    at: t0,
    state: 'active',
    ...over,
  });
}

describe('the tally of a round', () => {
  beforeEach(async () => {
    await open.ledger.rounds.open(openInput('r1'));
    await look(open.ledger, 'r1', seen);
  });

  test('counts what was really probed', async () => {
    expect(await open.ledger.rounds.tally('r1', t0)).toEqual({
      registrations: 7,
      eligible: 5,
      conclusive: 3,
      absent: 2,
      admitted: 0,
    });
  });

  test('B50 what people keep is in no share, whatever its verdict', async () => {
    for (const path of ['s', 's/a', 's/c', 's/e']) await keep(path);
    await keep('s/b', { keepUntil: t0 });
    expect(await open.ledger.rounds.tally('r1', t0)).toEqual({
      registrations: 7,
      eligible: 2,
      conclusive: 1,
      absent: 1,
      admitted: 0,
    });
    expect(await open.ledger.rounds.tally('r1', t0 - 1)).toMatchObject({ eligible: 1, absent: 0 });
  });

  test.each<[string, Partial<typeof decisions.$inferInsert>]>([
    ['void', { state: 'void' }],
    ['of another catalog', { catalog: 'lake/other' }],
    ['a rejection', { action: 'reject' }],
  ])('a keep that is %s counts for nothing', async (_name, over) => {
    await keep('s/a', over);
    expect(await open.ledger.rounds.tally('r1', t0)).toMatchObject({ eligible: 5, absent: 2 });
  });
});

describe('B53 an override', () => {
  async function override(paths: readonly string[], over: Partial<typeof overrides.$inferInsert> = {}): Promise<void> {
    const held = await open.ledger.findings.page({ catalog: shop, limit: 100 }, t0);
    await open.db.insert(overrides).values({
      id: `o ${paths.join()}`,
      catalog: shop,
      actor: { name: 'anna', verified: true, via: 'api' },
      reason: 'known',
      admits: held
        .filter(({ path }) => paths.includes(path.join('/')))
        .map(({ id, digest }) => ({ finding: id, digest })),
      maxCount: 10,
      at: t0,
      expiresAt: t0 + hour,
      ...over,
    });
  }
  const gone = ['s/a', 's/b', 's/c', 's/d'].map((path) => ({ path, verdict: absent() }));

  beforeEach(async () => {
    await wholeRound(open.ledger, 'r1', gone);
    await open.ledger.rounds.open(openInput('r2'));
    await look(open.ledger, 'r2', gone);
  });

  const admitted = async (now = t0) => (await open.ledger.rounds.tally('r2', now)).admitted;

  test('admits its findings until it expires', async () => {
    await override(['s/a', 's/b']);
    expect(await admitted()).toBe(2);
    expect(await admitted(t0 + hour)).toBe(0);
  });

  test('admits no more than is left of it, and two of them nothing twice', async () => {
    await override(['s/a', 's/b', 's/c'], { maxCount: 4, used: 3 });
    expect(await admitted()).toBe(1);
    await override(['s/a', 's/b'], { at: t0 + 1 });
    expect(await admitted()).toBe(2);
    await override(['s/d'], { maxCount: 1, used: 1 });
    expect(await admitted()).toBe(2);
  });

  test('admits nothing with other evidence, nothing kept, and nothing that is there again', async () => {
    await override(['s/a', 's/b', 's/c']);
    await keep('s/a');
    await open.ledger.rounds.recordVerdicts('r2', [{ row: 1, verdict: present(), evidence: proof, probedAt: t0 }]);
    expect(await admitted()).toBe(1);
    await open.db.update(overrides).set({ admits: [{ finding: 'none', digest: 'none' }] });
    expect(await admitted()).toBe(0);
  });
});
