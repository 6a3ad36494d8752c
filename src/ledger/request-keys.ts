import { and, eq, isNull, lte, sql } from 'drizzle-orm';
import type { LedgerDatabase } from './database.ts';
import type { KeyAnswer, KeyedAttempt, RequestKeyLedger } from './ledger.ts';
import { requestKeys } from './schema.ts';

/** More than one request leaves behind, so that the table shrinks while it is used; few enough that nobody waits. */
const forgottenAtOnce = 20;

type Take = Parameters<RequestKeyLedger['take']>[0];

export function createRequestKeyLedger(db: LedgerDatabase): RequestKeyLedger {
  return {
    async take(input) {
      await forget(db, input.now);
      return (await insert(db, input)) ? { state: 'taken' } : existing(db, input);
    },
    async keep(attempt, answer, expiresAt) {
      await db.update(requestKeys).set({ answer, expiresAt }).where(ofAttempt(attempt));
    },
    async release(attempt) {
      await db.delete(requestKeys).where(and(ofAttempt(attempt), isNull(requestKeys.answer)));
    },
  };
}

/** One statement, so that of two who come at the same time one gets the key; a key whose time is over is anybody's. */
async function insert(db: LedgerDatabase, { scope, key, fingerprint, attempt, now, until }: Take): Promise<boolean> {
  const taken = await db
    .insert(requestKeys)
    .values({ scope, key, fingerprint, attempt, expiresAt: until })
    .onConflictDoUpdate({
      target: [requestKeys.scope, requestKeys.key],
      set: { fingerprint, attempt, answer: null, expiresAt: until },
      setWhere: lte(requestKeys.expiresAt, now),
    })
    .returning({ attempt: requestKeys.attempt });
  return taken.length > 0;
}

async function existing(db: LedgerDatabase, { scope, key, fingerprint }: Take): Promise<KeyAnswer> {
  const [row] = await db
    .select()
    .from(requestKeys)
    .where(and(eq(requestKeys.scope, scope), eq(requestKeys.key, key)));
  // given back a moment ago: whoever sends it once more gets it
  if (row === undefined) return { state: 'running' };
  if (row.fingerprint !== fingerprint) return { state: 'other-request' };
  return row.answer === null ? { state: 'running' } : { state: 'answered', answer: row.answer };
}

async function forget(db: LedgerDatabase, now: number): Promise<void> {
  await db.execute(sql`
    delete from ${requestKeys} where ctid = any(array(
      select ctid from ${requestKeys} where expires_at <= ${now} limit ${forgottenAtOnce} for update skip locked))`);
}

function ofAttempt({ scope, key, attempt }: KeyedAttempt) {
  return and(eq(requestKeys.scope, scope), eq(requestKeys.key, key), eq(requestKeys.attempt, attempt));
}
