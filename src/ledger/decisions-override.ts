import { and, asc, eq, gt, lt, sql, type SQL } from 'drizzle-orm';
import { writeAudit } from './audit.ts';
import { type CatalogRow, lockCatalog } from './catalog-row.ts';
import { type LedgerDatabase, rowsAStatement } from './database.ts';
import type { DecisionLedger, OverrideAnswer } from './ledger.ts';
import { effectivePolicy } from './policies.ts';
import { findings, overrides } from './schema.ts';

type OverrideInput = Parameters<DecisionLedger['override']>[0];

/**
 * Admits what is held now: later findings, and these with other evidence, are held as before. The outermost come first
 * where there are more than one override takes; what they carry goes with them anyway.
 */
export async function override(db: LedgerDatabase, input: OverrideInput): Promise<OverrideAnswer> {
  const { id, catalog, actor, reason, maxCount, expiresAt, now } = input;
  return db.transaction(async (tx) => {
    const row = await lockCatalog(tx, catalog);
    const [earlier] = await tx.select().from(overrides).where(eq(overrides.id, id));
    if (earlier !== undefined) return { answer: 'created', id, admits: earlier.admits.length, state: earlier.state };
    if (row.hold.length === 0) return { answer: 'refused', reason: 'not-held' };
    if (expiresAt <= now) return { answer: 'refused', reason: 'expiry-in-the-past' };
    const admits = await heldFindings(tx, row);
    if (admits.length === 0) return { answer: 'refused', reason: 'nothing-held' };
    const state = (await effectivePolicy(tx, catalog)).policy.fourEyes ? 'requested' : 'active';
    await tx.insert(overrides).values({ id, catalog, actor, reason, admits, maxCount, at: now, expiresAt, state });
    await writeAudit(tx, {
      at: now,
      catalog,
      actor,
      action: state === 'requested' ? 'override-requested' : 'override-created',
      subject: id,
      detail: { reason, hold: row.hold, maxCount, expiresAt, admits: admits.length },
    });
    return { answer: 'created', id, admits: admits.length, state };
  });
}

async function heldFindings(
  tx: LedgerDatabase,
  { key, publishedRound }: CatalogRow,
): Promise<readonly { readonly finding: string; readonly digest: string }[]> {
  return tx
    .select({ finding: findings.id, digest: findings.digest })
    .from(findings)
    .where(
      and(eq(findings.catalog, key), eq(findings.state, 'open'), eq(findings.movedBy, publishedRound ?? ''), gone()),
    )
    .orderBy(asc(sql`${findings.carrier} is not null`), asc(findings.path), asc(findings.id))
    .limit(rowsAStatement);
}

/** Findings that may lead to a removal: absent ones, and renamed ones whose new name is registered already. */
export function gone(): SQL {
  return sql`(${findings.standing} ->> 'verdict' = 'absent'
    or (${findings.standing} ->> 'verdict' = 'renamed' and ${findings.taken}))`;
}

/** How many registrations go with a finding, itself included: that many count against an override. */
export function weightOf({ inside }: Pick<typeof findings.$inferSelect, 'inside'>): number {
  return 1 + inside;
}

/**
 * Whether a valid override admits the finding of the query and has enough left for everything that goes with it. What
 * overrides admit is gathered into one value beforehand: as a join, the planner would take it for a few rows and read
 * all of it again for each finding.
 */
export function admitted(catalog: string, now: number): SQL {
  return sql`((
    select jsonb_object_agg((admit ->> 'finding') || ' ' || (admit ->> 'digest'), leave.rest order by leave.rest)
    from (
      select max_count - used as rest, admits from ${overrides}
      where catalog = ${catalog} and state = 'active' and expires_at > ${now} and used < max_count
    ) leave
    cross join lateral jsonb_array_elements(leave.admits) admit
  ) ->> (${findings.id} || ' ' || ${findings.digest}))::int >= 1 + ${findings.inside}`;
}

/** Whether any override is left that could admit something. */
export async function anyOverride(db: LedgerDatabase, catalog: string, now: number): Promise<boolean> {
  const valid = await db
    .select({ id: overrides.id })
    .from(overrides)
    .where(
      and(
        eq(overrides.catalog, catalog),
        eq(overrides.state, 'active'),
        gt(overrides.expiresAt, now),
        lt(overrides.used, overrides.maxCount),
      ),
    )
    .limit(1);
  return valid.length > 0;
}

/** The override that lets this finding through, the one that expires first. */
export async function overrideFor(
  tx: LedgerDatabase,
  finding: typeof findings.$inferSelect,
  now: number,
): Promise<string | undefined> {
  const admits = JSON.stringify([{ finding: finding.id, digest: finding.digest }]);
  const [first] = await tx
    .select({ id: overrides.id })
    .from(overrides)
    .where(
      and(
        eq(overrides.catalog, finding.catalog),
        eq(overrides.state, 'active'),
        gt(overrides.expiresAt, now),
        sql`${overrides.maxCount} - ${overrides.used} >= ${weightOf(finding)}`,
        sql`${overrides.admits} @> ${admits}::jsonb`,
      ),
    )
    .orderBy(asc(overrides.expiresAt), asc(overrides.id))
    .limit(1);
  return first?.id;
}

export async function useOverride(tx: LedgerDatabase, id: string, count: number): Promise<void> {
  await tx
    .update(overrides)
    .set({ used: sql`${overrides.used} + ${count}` })
    .where(eq(overrides.id, id));
}
