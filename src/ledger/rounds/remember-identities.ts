import { sql } from 'drizzle-orm';
import { type LedgerDatabase, rowsAStatement, rowsOf } from '../database.ts';
import type { CatalogKey } from '../ledger.ts';
import { identityOf, listingOf } from './running.ts';

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
  for (let after = -1; ; ) {
    const last = await lastFresh(tx, round, after);
    if (last === undefined) return;
    await tx.execute(sql`
      insert into identities (catalog, entity, uid, found, fingerprint)
      select distinct on (s.entity) ${catalog}, s.entity, coalesce(v.uid, i.uid), v.found, ${fingerprint}
      from verdicts v
      cross join lateral ${listingOf(round)} s
      left join lateral ${identityOf(catalog)} i on true
      where v.round = ${round} and v.row > ${after} and v.row <= ${last} and v.fresh and v.verdict = 'present'
        and (
          i.entity is null or i.found <> v.found or i.fingerprint <> ${fingerprint}
          or (v.uid is not null and v.uid is distinct from i.uid)
        )
      order by s.entity, s.row
      on conflict (catalog, entity) do update set
        uid = excluded.uid, found = excluded.found, fingerprint = excluded.fingerprint`);
    after = last;
  }
}

async function lastFresh(tx: LedgerDatabase, round: string, after: number): Promise<number | undefined> {
  const [row] = await rowsOf<{ last: number | null }>(
    tx,
    sql`
      select max(row) as last from (
        select row from verdicts where round = ${round} and fresh and row > ${after} order by row limit ${rowsAStatement}
      ) chunk`,
  );
  return row?.last ?? undefined;
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
