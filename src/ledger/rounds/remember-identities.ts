import { sql } from 'drizzle-orm';
import { type LedgerDatabase, rowsAStatement, rowsOf } from '../database.ts';
import type { CatalogKey } from '../ledger.ts';
import { rowChunks } from './running.ts';

interface Remembering {
  readonly round: string;
  readonly catalog: CatalogKey;
  readonly fingerprint: string;
  /** Where the memory is of another system: its identities mean nothing in this one. */
  readonly forgetFirst: boolean;
}

/**
 * Remembers whom the round saw present, and writes only what it did not know. Whatever was replaced keeps the identity
 * that it had, until a person accepts the new one; so does what is absent, or it could not be found elsewhere. A source
 * that for once names no identity does not make us forget one.
 */
export async function rememberIdentities(tx: LedgerDatabase, remembering: Remembering): Promise<void> {
  const { round, catalog, fingerprint, forgetFirst } = remembering;
  if (forgetFirst) await forget(tx, catalog);
  for await (const { from, to } of rowChunks(tx, round)) {
    await tx.execute(sql`
      insert into identities (catalog, entity, uid, found, fingerprint)
      select distinct on (s.entity) ${catalog}, s.entity, coalesce(v.uid, i.uid), v.found, ${fingerprint}
      from verdicts v
      join snapshot s on s.round = ${round} and s.row = v.row and s.row >= ${from} and s.row < ${to}
      left join identities i on i.catalog = ${catalog} and i.entity = s.entity
      where v.round = ${round} and v.row >= ${from} and v.row < ${to} and v.verdict = 'present'
        and (
          i.entity is null or i.found <> v.found or i.fingerprint <> ${fingerprint}
          or (v.uid is not null and v.uid is distinct from i.uid)
        )
      order by s.entity, s.row
      on conflict (catalog, entity) do update set
        uid = excluded.uid, found = excluded.found, fingerprint = excluded.fingerprint`);
  }
}

async function forget(tx: LedgerDatabase, catalog: CatalogKey): Promise<void> {
  for (;;) {
    const gone = await rowsOf<{ count: number }>(
      tx,
      sql`
        with batch as (select entity from identities where catalog = ${catalog} limit ${rowsAStatement}), gone as (
          delete from identities i using batch where i.catalog = ${catalog} and i.entity = batch.entity returning 1
        )
        select count(*)::int as count from gone`,
    );
    if ((gone[0]?.count ?? 0) < rowsAStatement) return;
  }
}
