import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { recordDecisions } from '../../src/activities/review-steps.ts';
import type { Actor } from '../../src/domain/actor.ts';
import { anna, ben, digestOf, seedCatalog, seedFinding, t0 } from '../ledger/seed.ts';
import { openTestLedger, type TestLedger } from '../support/ledger.ts';
import { World } from '../support/world/world.ts';
import { worldDeps } from '../support/world/world-house.ts';

let at: TestLedger;
beforeAll(async () => {
  at = await openTestLedger();
});
beforeEach(async () => {
  await at.reset();
  await seedCatalog(at.db);
  await seedFinding(at.db, 'f1');
});
afterAll(() => at.close());

/** What an approval of `f1` by this actor comes to. */
async function approved(actor: Actor, allowTemporalSignals: boolean) {
  const deps = { ...worldDeps(new World('shop'), at.ledger, () => t0), allowTemporalSignals };
  const items = [{ findingId: 'f1', digest: digestOf('f1'), action: 'approve' as const }];
  const message = { items, actor, requestKey: 'r', notAfter: t0 };
  const { answers } = await recordDecisions(deps, { metalake: 'lake', catalog: 'shop', now: t0, message });
  return answers[0];
}

describe('a decision that came as a Temporal signal', () => {
  test('counts where signals are allowed', async () => {
    expect(await approved(ben, true)).toMatchObject({ answer: 'accepted' });
  });

  test('counts for nothing where they are not, and the audit says who was named in it', async () => {
    expect(await approved(ben, false)).toEqual({
      findingId: 'f1',
      answer: 'refused',
      reason: 'signals-off',
      hint: expect.stringContaining('auth.allowTemporalSignals'),
    });
    expect(await at.ledger.decisions.decisions('lake/shop', { limit: 10 }, t0)).toEqual([]);
    expect(await at.ledger.audit.page({ after: 0, limit: 10 })).toMatchObject([
      { actor: ben, action: 'decision-refused', subject: 'f1', detail: { refusal: 'signals-off' } },
    ]);
  });

  test('is the only one that is refused for that', async () => {
    expect(await approved(anna, false)).toMatchObject({ answer: 'accepted' });
  });
});
