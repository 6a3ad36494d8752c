import { and, eq, gt, inArray, lt, notInArray, or, sql } from 'drizzle-orm';
import { askedBy } from '../domain/decision.ts';
import type { Standing } from '../domain/finding.ts';
import type { IntentAction, outcomeRules, RemovalOutcome } from '../domain/removal.ts';
import type { LedgerDatabase } from './database.ts';
import { endDecisions } from './decisions-end.ts';
import { decisions, findings, transitions } from './schema.ts';

/** Of findings closed in one statement; each writes a line of five values as well. */
const findingsAtOnce = 5_000;

interface Place {
  readonly catalog: string;
  readonly finding: string;
  readonly path: string;
  readonly action: IntentAction;
}

/**
 * Its registration is gone, and with it whatever was registered inside: nothing of it is offered for removal again. One
 * that was re-pointed took along what is inside; of that, only what moved with it needs nothing more.
 */
export async function closeWithAllInside(
  tx: LedgerDatabase,
  { catalog, finding, path, action }: Place,
  why: RemovalOutcome,
  now: number,
): Promise<void> {
  const inside = and(
    gt(findings.path, `${path}/`),
    lt(findings.path, `${path}0`),
    action === 'repoint' ? sql`${findings.standing} ->> 'verdict' = 'renamed'` : undefined,
  );
  for (;;) {
    const some = tx
      .select({ id: findings.id })
      .from(findings)
      .where(and(eq(findings.catalog, catalog), eq(findings.state, 'open'), or(eq(findings.id, finding), inside)))
      .limit(findingsAtOnce);
    const closed = await tx
      .update(findings)
      .set({ state: 'closed', closedWhy: why, updatedAt: now })
      .where(inArray(findings.id, some))
      .returning({ id: findings.id });
    if (closed.length > 0) {
      const ids = closed.map(({ id }) => id);
      await tx.insert(transitions).values(
        ids.map((id) => ({
          finding: id,
          at: now,
          what: 'closed',
          detail: id === finding ? { why } : { why, with: finding },
        })),
      );
      // Keeps stay: they are about the registration, which may be restored.
      const theirs = inArray(decisions.finding, ids);
      const fulfilled = and(eq(decisions.action, askedBy[action]), theirs);
      await endDecisions(tx, fulfilled, { state: 'consumed', why, now });
      const overtaken = and(notInArray(decisions.action, [askedBy[action], 'keep']), theirs);
      await endDecisions(tx, overtaken, { state: 'void', why, now });
    }
    if (closed.length < findingsAtOnce) return;
  }
}

/** Nothing was done. What may not be tried again waits until another round has judged it. */
export async function leaveOpen(
  tx: LedgerDatabase,
  { finding, action }: Place,
  {
    outcome,
    reason,
    rules,
    now,
  }: {
    readonly outcome: RemovalOutcome;
    readonly reason: string;
    readonly rules: (typeof outcomeRules)[RemovalOutcome];
    readonly now: number;
  },
): Promise<void> {
  if (rules.decision === 'void') {
    const asking = and(eq(decisions.finding, finding), inArray(decisions.action, Object.values(askedBy)));
    await endDecisions(tx, asking, { state: 'void', why: outcome, now });
  }
  const [row] = await tx
    .select({ standing: findings.standing })
    .from(findings)
    .where(eq(findings.id, finding))
    .for('update');
  if (!rules.again && row !== undefined) {
    const standing: Standing = { ...row.standing, due: false, ripe: false, waits: ['unknown-now'] };
    await tx.update(findings).set({ standing, updatedAt: now }).where(eq(findings.id, finding));
  }
  const what = action === 'repoint' ? 'not-repointed' : 'not-removed';
  await tx.insert(transitions).values({ finding, at: now, what, detail: { outcome, reason } });
}
