import { createHash } from 'node:crypto';
import { and, asc, eq, exists, gte, isNull, lt, not, or, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { DecisionAction } from '../domain/decision.ts';
import { impossible } from '../domain/impossible.ts';
import { pathText } from '../domain/path.ts';
import { type LedgerDatabase, rowsAStatement } from './database.ts';
import { keeps } from './decisions-in-force.ts';
import { gone } from './decisions-override.ts';
import { isRejected } from './findings-rejected.ts';
import type { Selection, SelectionQuery } from './ledger.ts';
import { decisions, findings } from './schema.ts';

/**
 * Open findings that an action could change, in order of path and id, with one digest over all of them: a person who saw
 * that digest saw exactly these, on exactly this evidence. At most `items` are kept, however many there are.
 */
export async function selectFindings(
  db: LedgerDatabase,
  query: SelectionQuery,
  items: number,
  now: number,
): Promise<Selection> {
  const digest = createHash('sha256');
  const kept: Selection['items'][number][] = [];
  let count = 0;
  for (let last: { readonly path: string; readonly id: string } | undefined; ; ) {
    const page = await pageOf(db, query, last, now);
    for (const { id, digest: evidence } of page) {
      digest.update(`${id} ${evidence}\n`);
      if (kept.length < items) kept.push({ findingId: id, digest: evidence });
    }
    count += page.length;
    last = page.at(-1);
    if (last === undefined || page.length < rowsAStatement) return { count, digest: digest.digest('hex'), items: kept };
  }
}

function pageOf(
  db: LedgerDatabase,
  { catalog, action, kind, verdict, under }: SelectionQuery,
  after: { readonly path: string; readonly id: string } | undefined,
  now: number,
) {
  const top = under === undefined ? undefined : pathText(under);
  const conditions: (SQL | undefined)[] = [
    eq(findings.catalog, catalog),
    eq(findings.state, 'open'),
    kind === undefined ? undefined : eq(findings.kind, kind),
    verdict === undefined ? undefined : sql`(${findings.standing} ->> 'verdict') = ${verdict}`,
    top === undefined
      ? undefined
      : or(eq(findings.path, top), and(gte(findings.path, `${top}/`), lt(findings.path, `${top}0`))),
    after === undefined ? undefined : sql`(${findings.path}, ${findings.id}) > (${after.path}, ${after.id})`,
    not(isRejected(db)),
    changedBy(action),
    not(hasDecision(db, action, now)),
  ];
  return db
    .select({ id: findings.id, path: findings.path, digest: findings.digest })
    .from(findings)
    .where(and(...conditions))
    .orderBy(asc(findings.path), asc(findings.id))
    .limit(rowsAStatement);
}

/** What the action is about, as far as the finding tells; the rules have the last word on each. */
function changedBy(action: DecisionAction): SQL | undefined {
  switch (action) {
    case 'approve':
      return and(gone(), isNull(findings.carrier));
    case 'accept':
      return sql`(${findings.standing} ->> 'verdict') = 'replaced'`;
    case 'repoint':
      return and(sql`(${findings.standing} ->> 'verdict') = 'renamed'`, eq(findings.taken, false));
    case 'reject':
    case 'keep':
      return undefined;
    default:
      return impossible(action);
  }
}

/** A decision that this one would only repeat, or a keep: what a person keeps is not let go along with a heap of others. */
function hasDecision(db: LedgerDatabase, action: DecisionAction, now: number): SQL {
  const other = alias(decisions, 'other');
  const same = and(
    eq(other.state, 'active'),
    eq(other.action, action),
    eq(other.finding, findings.id),
    eq(other.digest, findings.digest),
    or(isNull(other.expiresAt), sql`${other.expiresAt} > ${now}`),
  );
  return exists(
    db
      .select({ one: sql`1` })
      .from(other)
      .where(
        and(
          eq(other.catalog, findings.catalog),
          eq(other.entity, findings.entity),
          action === 'keep' ? keeps(other, now) : or(keeps(other, now), same),
        ),
      ),
  );
}
