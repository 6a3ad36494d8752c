import { sql } from 'drizzle-orm';
import { reconciler } from '../domain/actor.ts';
import { writeAudit } from './audit.ts';
import { type LedgerDatabase, rowsAStatement, rowsOf } from './database.ts';
import type { CatalogKey, RetentionLedger } from './ledger.ts';
import { effectivePolicy } from './policies.ts';

export function createRetentionLedger(db: LedgerDatabase): RetentionLedger {
  return {
    async purge({ catalog, now, after, limit }) {
      const { policy } = await effectivePolicy(db, catalog);
      const rows = Math.min(limit, rowsAStatement);
      const saved = await purgeSaved(db, { catalog, now, before: now - policy.savedAttachmentsMs, after, rows });
      if (saved !== undefined) return { next: saved };
      if (policy.auditMs === undefined) return {};
      const audit = await purgeAudit(db, { catalog, now, before: now - policy.auditMs, rows });
      return audit ? { next: end } : {};
    },
  };
}

type Mark = NonNullable<Parameters<RetentionLedger['purge']>[0]['after']>;

/** Past every removal: what was attached is purged, the audit perhaps not wholly. */
const end: Mark = { at: Number.MAX_SAFE_INTEGER, id: '' };

interface Purge {
  readonly catalog: CatalogKey;
  readonly now: number;
  /** What is older than this goes. */
  readonly before: number;
  readonly rows: number;
}

/**
 * One batch: of the next removals by age, what was attached, each batch committed by itself. An open intent has no
 * removal yet, and a removal that is being undone is left alone. With what could have been restored goes the identity
 * that was remembered for it.
 */
async function purgeSaved(
  db: LedgerDatabase,
  { catalog, now, before, after, rows }: Purge & { readonly after: Mark | undefined },
): Promise<Mark | undefined> {
  const from = after ?? { at: 0, id: '' };
  return db.transaction(async (tx) => {
    const [batch] = await rowsOf<{ at: string | number | null; id: string | null; full: boolean; gone: number }>(
      tx,
      sql`
        with old as materialized (
          select id, at from removals
          where catalog = ${catalog} and at < ${before} and (at, id) > (${from.at}::bigint, ${from.id}::text)
          order by at, id limit ${rows}
        ), gone as (
          delete from saved_attachments s using (
            select a.intent, a.entity from old join saved_attachments a on a.intent = old.id
            where not exists (select from restores r where r.removal = old.id and r.state = 'requested')
            limit ${rows}
          ) batch
          where s.intent = batch.intent and s.entity = batch.entity
          returning s.intent, s.entity
        ), forgotten as (
          delete from identities i using gone join removals on removals.id = gone.intent
          where i.catalog = ${catalog} and i.entity = gone.entity and removals.outcome = 'removed'
            and not exists (select from saved_attachments s where s.entity = gone.entity and s.intent <> gone.intent)
            and not exists (select from restores r where r.removal = gone.intent and r.outcome = 'restored')
        )
        select last.at, last.id, (select count(*) from old) = ${rows} as full, (select count(*) from gone)::int as gone
        from (select 1) one left join (select at, id from old order by at desc, id desc limit 1) last on true`,
    );
    const gone = batch?.gone ?? 0;
    if (gone > 0) {
      const detail = { before, registrations: gone };
      await writeAudit(tx, { at: now, catalog, actor: reconciler, action: 'saved-purged', subject: catalog, detail });
    }
    // A large container fills the batch by itself: the same removals again, until all of them are done.
    if (gone === rows) return from;
    if (batch === undefined || batch.at === null || batch.id === null || !batch.full) return undefined;
    return { at: Number(batch.at), id: batch.id };
  });
}

/** The oldest lines first, so that a look at the first of them tells when nothing is left; says whether it deleted a whole batch. */
async function purgeAudit(db: LedgerDatabase, { catalog, now, before, rows }: Purge): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [batch] = await rowsOf<{ gone: number }>(
      tx,
      sql`
        with old as (
          select id from (select * from audit where catalog = ${catalog} order by id limit ${rows}) oldest
          where at < ${before}
            and not exists (select from intents i where i.id = oldest.subject and i.state = 'open')
        ), gone as (
          delete from audit using old where audit.id = old.id returning 1
        )
        select count(*)::int as gone from gone`,
    );
    const gone = batch?.gone ?? 0;
    if (gone > 0) {
      const detail = { before, lines: gone };
      await writeAudit(tx, { at: now, catalog, actor: reconciler, action: 'audit-purged', subject: catalog, detail });
    }
    return gone === rows;
  });
}
