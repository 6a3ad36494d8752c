import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from 'drizzle-orm';
import { writeAudit } from '../../src/ledger/audit.ts';
import { audit } from '../../src/ledger/schema.ts';
import { openTestLedger, type TestLedger } from '../support/ledger.ts';
import { anna, key, t0 } from './seed.ts';

let at: TestLedger;
beforeAll(async () => {
  at = await openTestLedger();
});
afterAll(() => at.close());
beforeEach(() => at.reset());

const entry = (subject: string, catalog?: string) => ({
  at: t0,
  actor: anna,
  action: 'looked',
  subject,
  detail: { with: ['eyes'] },
  ...(catalog === undefined ? {} : { catalog }),
});

test('the audit is read oldest first, page by page, of one catalog or of all', async () => {
  await writeAudit(at.db, entry('a', key));
  await writeAudit(at.db, entry('house'));
  await writeAudit(at.db, entry('b', key));
  const all = await at.ledger.audit.page({ limit: 10 });
  expect(all.map(({ subject }) => subject)).toEqual(['a', 'house', 'b']);
  expect(all[0]).toEqual({ id: all[0]?.id, ...entry('a', key) });
  expect(all[1]).not.toHaveProperty('catalog');
  const [first] = await at.ledger.audit.page({ catalog: key, limit: 1 });
  const rest = await at.ledger.audit.page({ catalog: key, limit: 10, after: first?.id ?? 0 });
  expect(rest.map(({ subject }) => subject)).toEqual(['b']);
});

test('a line of a transaction that fails is not there', async () => {
  const failing = at.db.transaction(async (tx) => {
    await writeAudit(tx, entry('a', key));
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await at.ledger.audit.page({ limit: 10 })).toEqual([]);
});

test('ids go up in the order of commits, so that nobody who reads on from the last one misses a line', async () => {
  await writeAudit(at.db, entry('first'));
  const before = await at.ledger.audit.page({ limit: 10 });
  // as a transaction that took the next number and was overtaken: its number is given back to it afterwards
  await writeAudit(at.db, entry('late'));
  const { rows } = (await at.db.execute(sql`delete from audit where subject = 'late' returning id`)) as {
    readonly rows: readonly { readonly id: number }[];
  };
  await writeAudit(at.db, entry('early'));
  const [early] = await at.ledger.audit.page({ limit: 10, after: before[0]?.id ?? 0 });
  expect(early?.subject).toBe('early');
  await at.db.insert(audit).values({ id: Number(rows[0]?.id), ...entry('late') });
  expect((await at.ledger.audit.page({ limit: 10, after: early?.id ?? 0 })).map(({ subject }) => subject)).toEqual([
    'late',
  ]);
  expect((await at.ledger.audit.page({ limit: 10 })).map(({ subject }) => subject)).toEqual(['first', 'early', 'late']);
});

test('what happened outside of the ledger is noted', async () => {
  await at.ledger.audit.note(entry('outside', key));
  expect(await at.ledger.audit.page({ limit: 10 })).toMatchObject([{ subject: 'outside', catalog: key }]);
});
