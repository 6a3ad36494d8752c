import { and, asc, eq, inArray, isNull, lt, lte, not, notExists, or, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { modeFor, type Policy } from '../domain/policy.ts';
import { objectKindsOf, type EntityKind } from '../domain/registration.ts';
import type { CatalogRow } from './catalog-row.ts';
import type { LedgerDatabase } from './database.ts';
import { approves, asks, keeps, rejects } from './decisions-in-force.ts';
import { admitted, gone } from './decisions-override.ts';
import type { FindingRow } from './removals-bar.ts';
import type { Circumstances } from './removals-circumstances.ts';
import { heldBackInside } from './removals-inside.ts';
import { decisions, findings } from './schema.ts';

/**
 * One would do, since the query knows every bar that the domain does; a few more keep one disagreement between the two
 * from standing in everybody's way.
 */
const atOnce = 5;

/**
 * Renamed findings that a person wants re-pointed, the oldest decision first. Of one request a container comes before
 * its contents, which move along with it.
 */
export async function repointCandidates(
  db: LedgerDatabase,
  { catalog, judgedUnder, now }: Circumstances,
): Promise<readonly FindingRow[]> {
  if (judgedUnder === 'a-laxer-one') return [];
  const rows = await db
    .select({ finding: findings })
    .from(decisions)
    .innerJoin(findings, and(eq(findings.id, decisions.finding), eq(findings.digest, decisions.digest)))
    .where(
      and(
        eq(decisions.catalog, catalog.key),
        asks(decisions, 'repoint', now),
        eq(findings.state, 'open'),
        eq(findings.movedBy, catalog.publishedRound ?? ''),
        sql`${findings.standing} ->> 'verdict' = 'renamed'`,
        not(findings.taken),
      ),
    )
    .orderBy(asc(decisions.at), asc(findings.path))
    .limit(atOnce);
  return rows.map(({ finding }) => finding);
}

/** Approved findings that nothing bars and that take at most so many registrations along, the oldest approval first. */
export async function approvedCandidates(
  db: LedgerDatabase,
  { catalog, policy, judgedUnder, now }: Circumstances,
  room: number,
): Promise<readonly FindingRow[]> {
  if (judgedUnder === 'a-laxer-one') return [];
  const rows = await db
    .select({ finding: findings })
    .from(decisions)
    .innerJoin(findings, and(eq(findings.id, decisions.finding), eq(findings.digest, decisions.digest)))
    .where(
      and(
        eq(decisions.catalog, catalog.key),
        approves(decisions, now),
        gone(),
        fits(room),
        unbarred(db, catalog, policy, now),
      ),
    )
    .orderBy(asc(decisions.at), asc(decisions.id))
    .limit(atOnce);
  return rows.map(({ finding }) => finding);
}

/** Those that the policy removes by itself, the longest due first. */
export async function dueCandidates(
  db: LedgerDatabase,
  { catalog, policy, judgedUnder, now }: Circumstances,
  room: number,
): Promise<readonly FindingRow[]> {
  const kinds = unattendedKinds(policy);
  if (kinds.length === 0 || judgedUnder !== 'this-policy') return [];
  return db
    .select()
    .from(findings)
    .where(
      and(
        inArray(findings.kind, kinds),
        sql`${findings.standing} ->> 'due' = 'true'`,
        sql`${findings.standing} ->> 'verdict' = 'absent'`,
        fits(room),
        unbarred(db, catalog, policy, now),
      ),
    )
    .orderBy(asc(sql`(${findings.standing} ->> 'dueAt')::bigint`), asc(findings.path))
    .limit(atOnce);
}

export function unattendedKinds(policy: Policy): readonly EntityKind[] {
  return (Object.keys(objectKindsOf) as EntityKind[]).filter((kind) => modeFor(policy, kind) === 'auto-remove');
}

function fits(room: number): SQL | undefined {
  return Number.isFinite(room) ? lt(findings.inside, room) : undefined;
}

/** The bars of `removalBar` that lie in the finding itself, in the words of the database. */
function unbarred(
  db: LedgerDatabase,
  { key, publishedRound, hold }: CatalogRow,
  { minimumAgeMs }: Policy,
  now: number,
): SQL | undefined {
  const other = alias(decisions, 'other');
  const ofTheEntity = and(eq(other.catalog, findings.catalog), eq(other.entity, findings.entity));
  const ofTheEvidence = and(eq(other.finding, findings.id), eq(other.digest, findings.digest));
  return and(
    eq(findings.catalog, key),
    eq(findings.state, 'open'),
    eq(findings.movedBy, publishedRound ?? ''),
    sql`${findings.standing} ->> 'ripe' = 'true'`,
    lte(findings.registeredAt, now - minimumAgeMs),
    isNull(findings.carrier),
    isNull(findings.blocker),
    hold.length === 0 ? undefined : admitted(key, now),
    notExists(
      db
        .select({ one: sql`1` })
        .from(other)
        .where(and(ofTheEntity, or(keeps(other, now), and(rejects(other), ofTheEvidence)))),
    ),
    or(eq(findings.inside, 0), not(heldBackInside(db, now))),
  );
}
