import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pathText } from '../../../src/domain/path.ts';
import { type removals, savedAttachments } from '../../../src/ledger/schema.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';
import { autoRemove } from '../../support/builders.ts';
import { anna, seedRemoval } from '../seed.ts';
import { absent, hour, look, openInput, present, shop, t0, wholeRound } from './scene.ts';

let open: TestLedger;
beforeAll(async () => {
  open = await openTestLedger();
});
beforeEach(() => open.reset());
afterAll(() => open.close());

/** A removal of `sales`, long ago, that took these along. */
async function removedBefore(
  paths: readonly string[],
  over: Partial<typeof removals.$inferInsert> = {},
): Promise<void> {
  await seedRemoval(open.db, 'i1', { catalog: shop, path: 'sales', at: t0 - 100 * hour, ...over });
  await open.db.insert(savedAttachments).values(
    paths.map((path) => ({
      intent: 'i1',
      entity: `id of ${path}`,
      kind: 'table' as const,
      path,
      version: '1',
      body: 'unseen' as const,
    })),
  );
}

async function returned(): Promise<readonly string[]> {
  await open.ledger.rounds.open(openInput('r1'));
  await look(open.ledger, 'r1', [
    { path: 'sales', verdict: absent() },
    { path: 'sales/a', verdict: absent() },
    { path: 'sales/b', verdict: present() },
  ]);
  const rows = await open.ledger.rounds.toJudge('r1', { limit: 100 });
  return rows.filter((row) => row.returned).map(({ path }) => pathText(path));
}

describe('B68 judging knows what was removed before', () => {
  test('by itself or with its container, as far as it is absent again', async () => {
    await removedBefore(['sales/a', 'sales/b']);
    expect(await returned()).toEqual(['sales/a']);
  });

  test('inside a container too', async () => {
    await removedBefore(['sales/b']);
    await returned();
    const inside = await open.ledger.rounds.inside('r1', ['sales'], { limit: 9 });
    expect(inside.map(({ path, returned: back }) => [pathText(path), back])).toEqual([
      ['sales/a', false],
      ['sales/b', true],
    ]);
  });

  test.each([
    ['that stayed', { outcome: 'present' }],
    ['that others took', { outcome: 'already-gone' }],
    ['that was re-pointed', { action: 'repoint' }],
    ['that another catalog has under the same id', { catalog: 'lake/other' }],
  ] as const)('and nothing %s', async (_what, over) => {
    await removedBefore(['sales/a'], over);
    expect(await returned()).toEqual([]);
  });
});

test('B68 a removed registration that is there again two rounds later is told, and not removed a second time', async () => {
  const policy = autoRemove({ graceMs: 0, minimumAgeMs: 0 });
  await open.ledger.catalogs.ensure('lake', 'shop', t0);
  await open.ledger.catalogs.applyPolicy({ catalog: shop, policy, intervalMs: hour, actor: anna, now: t0 });
  await removedBefore(['sales/a']);
  const seen = ['sales/a', 'sales/b'].map((path) => ({ path, verdict: absent() }));
  for (let round = 1; round <= 4; round += 1) {
    await wholeRound(open.ledger, `r${round}`, seen, { now: t0 + round * hour, policy });
  }
  const page = await open.ledger.findings.page({ catalog: shop, state: 'open', limit: 9 }, t0);
  expect(page.map(({ path, standing }) => [pathText(path), standing.due, standing.waits])).toEqual([
    ['sales/a', false, ['returned']],
    ['sales/b', true, []],
  ]);
  const [back, fresh] = page;
  expect((await open.ledger.findings.history(back?.id ?? '')).map(({ what }) => what)).toContain('returned');
  expect((await open.ledger.findings.history(fresh?.id ?? '')).map(({ what }) => what)).not.toContain('returned');
  // what is due goes, what came back waits for a person
  expect(await open.ledger.removals.next(shop, t0 + 4 * hour)).toMatchObject({ step: 'remove', finding: fresh?.id });
});
