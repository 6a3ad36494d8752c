import { and, eq, exists, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { type LedgerDatabase, rowsOf } from './database.ts';
import { rejects } from './decisions-in-force.ts';
import type { CatalogKey } from './ledger.ts';
import { decisions, findings } from './schema.ts';

/*
 * A rejection settles a finding for its readers as long as the evidence is what the person saw. The row stays open, for a
 * round that sees other evidence voids the rejection, and then it is everybody's again.
 */

/** Whether a rejection of exactly this evidence is in force on the finding of the query. */
export function isRejected(db: LedgerDatabase): SQL {
  const rejection = alias(decisions, 'rejection');
  return exists(
    db
      .select({ one: sql`1` })
      .from(rejection)
      .where(
        and(
          eq(rejection.catalog, findings.catalog),
          eq(rejection.entity, findings.entity),
          rejects(rejection),
          eq(rejection.finding, findings.id),
          eq(rejection.digest, findings.digest),
        ),
      ),
  );
}

/** The same from the other side: there are few rejections, and the many findings need not be walked for them. */
export function isAmongRejected(catalog: CatalogKey): SQL {
  return sql`${findings.id} = any(array(${rejectedIds(catalog)}))`;
}

/** Open findings that are rejected, and those of them that are due all the same. */
export async function countRejected(
  db: LedgerDatabase,
  catalog: CatalogKey,
): Promise<{ readonly rejected: number; readonly due: number }> {
  const [counted] = await rowsOf<{ rejected: number; due: number }>(
    db,
    sql`
      select count(*)::int as rejected, (count(*) filter (where standing ->> 'due' = 'true'))::int as due
      from findings where id = any(array(${rejectedIds(catalog)}))`,
  );
  return counted ?? { rejected: 0, due: 0 };
}

function rejectedIds(catalog: CatalogKey): SQL {
  return sql`
    select f.id from decisions d join findings f on f.id = d.finding and f.digest = d.digest and f.state = 'open'
    where d.catalog = ${catalog} and d.state = 'active' and d.action = 'reject'`;
}
