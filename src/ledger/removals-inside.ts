import { and, eq, exists, or, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { LedgerDatabase } from './database.ts';
import { keeps, rejects } from './decisions-in-force.ts';
import { decisions, findings } from './schema.ts';

/**
 * Whether a person keeps or rejects something inside the finding of the query. The round that judged the container
 * knows of earlier ones; this is about those that were given since.
 */
export function heldBackInside(db: LedgerDatabase, now: number): SQL {
  const child = alias(findings, 'child');
  const decision = alias(decisions, 'held_back');
  return exists(
    db
      .select({ one: sql`1` })
      .from(decision)
      .innerJoin(
        child,
        and(eq(child.catalog, decision.catalog), eq(child.entity, decision.entity), eq(child.state, 'open')),
      )
      .where(
        and(
          eq(decision.catalog, findings.catalog),
          or(
            keeps(decision, now),
            and(rejects(decision), eq(decision.finding, child.id), eq(decision.digest, child.digest)),
          ),
          sql`${child.path} > ${findings.path} || '/'`,
          sql`${child.path} < ${findings.path} || '0'`,
        ),
      ),
  );
}
