import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { identities } from '../../src/ledger/schema.ts';
import { openTestLedger, type TestLedger } from '../support/ledger.ts';
import { anna, audited, ben, hour, key, seedCatalog, seedFinding, t0 } from './seed.ts';

let at: TestLedger;
beforeAll(async () => {
  at = await openTestLedger();
});
afterAll(() => at.close());
beforeEach(async () => {
  await at.reset();
  await seedCatalog(at.db);
});

const catalog = () => at.ledger.catalogs.catalog(key);

describe('pause and resume', () => {
  const pause = { by: 'anna', reason: 'migration week', at: t0 };

  test('a pause is shown with who and why, until it is taken back', async () => {
    await at.ledger.decisions.pause(key, pause, anna);
    expect(await catalog()).toMatchObject({ pause });
    await at.ledger.decisions.resume(key, ben, t0 + hour);
    expect(await catalog()).not.toHaveProperty('pause');
    expect(await audited(at.ledger)).toEqual([`paused by anna: ${key}`, `resumed by ben: ${key}`]);
  });

  test('resuming clears a stop of the removal loop as well, and the audit tells which', async () => {
    await seedCatalog(at.db, { stop: { reason: 'too-many-present', at: t0 } });
    await at.ledger.decisions.resume(key, anna, t0 + hour);
    expect(await catalog()).not.toHaveProperty('stop');
    const [entry] = await at.ledger.audit.page({ catalog: key, limit: 10 });
    expect(entry?.detail).toEqual({ paused: null, stopped: { reason: 'too-many-present', at: t0 } });
  });

  test('a repeat changes and audits nothing', async () => {
    await at.ledger.decisions.pause(key, pause, anna);
    await at.ledger.decisions.pause(key, pause, anna);
    await at.ledger.decisions.resume(key, anna, t0 + 1);
    await at.ledger.decisions.resume(key, anna, t0 + 1);
    expect(await audited(at.ledger)).toHaveLength(2);
  });

  test('of a catalog that was never looked at is an error, never a silent nothing', async () => {
    const unknown = { type: 'InvalidRequest', code: 'no-such-catalog' };
    await expect(at.ledger.decisions.pause('lake/nobody', pause, anna)).rejects.toMatchObject(unknown);
    await expect(at.ledger.decisions.resume('lake/nobody', anna, t0)).rejects.toMatchObject(unknown);
    await expect(at.ledger.decisions.acceptSource('lake/nobody', anna, 'moved', t0)).rejects.toMatchObject(unknown);
  });
});

test('accepting a source forgets the old one and lets nothing go by what it said', async () => {
  await seedFinding(at.db, 'a');
  await at.db.insert(identities).values([
    { catalog: key, entity: 'entity of a', uid: '1', found: 'table', fingerprint: 'f1' },
    { catalog: 'lake/other', entity: 'entity of a', uid: '1', found: 'table', fingerprint: 'f1' },
  ]);
  await at.ledger.decisions.acceptSource(key, anna, 'restored from backup', t0 + hour);
  const row = await catalog();
  expect(row).toMatchObject({ state: 'never-scanned', stateSince: t0 + hour });
  expect(row).not.toHaveProperty('epoch');
  expect(row).not.toHaveProperty('fingerprint');
  expect((await at.db.select().from(identities)).map(({ catalog: of }) => of)).toEqual(['lake/other']);
  expect(await at.ledger.removals.next(key, t0 + hour)).toMatchObject({ why: 'catalog-not-ok: never-scanned' });
  const [entry] = await at.ledger.audit.page({ catalog: key, limit: 10 });
  expect(entry).toMatchObject({
    action: 'source-accepted',
    actor: anna,
    detail: { reason: 'restored from backup', fingerprint: 'f1', epoch: 'e1', identities: 1 },
  });
});
