import { and, eq } from 'drizzle-orm';
import { askedBy } from '../domain/decision.ts';
import { modeFor } from '../domain/policy.ts';
import { type IntentAction, type RemovalBar, type RemovalContext, removalBar, repointBar } from '../domain/removal.ts';
import { limitReached } from '../domain/removal-limits.ts';
import type { LedgerDatabase } from './database.ts';
import { type DecisionRow, inForce } from './decisions-in-force.ts';
import { overrideFor, weightOf } from './decisions-override.ts';
import { isKeptByPattern } from './keeps-in-force.ts';
import type { Circumstances } from './removals-circumstances.ts';
import { heldBackInside } from './removals-inside.ts';
import { decisions, findings, rounds } from './schema.ts';

export type FindingRow = typeof findings.$inferSelect;

export interface BarReading {
  readonly bar: RemovalBar | undefined;
  /** The decision that asks for it; absent where the policy alone does. */
  readonly approval?: DecisionRow;
  /** What admits it although the round is held. */
  readonly override?: string;
}

/** Reads everything that can stand between a finding and what is to be done about it, and asks the domain. */
export async function readBar(
  db: LedgerDatabase,
  action: IntentAction,
  finding: FindingRow,
  { catalog, policy, judgedUnder, removed, standingKeeps, now, exclusive }: Circumstances,
): Promise<BarReading> {
  const rows = await db
    .select()
    .from(decisions)
    .where(
      and(eq(decisions.catalog, finding.catalog), eq(decisions.entity, finding.entity), eq(decisions.state, 'active')),
    );
  const valid = rows.filter((row) => inForce(row, now));
  const ofThisEvidence = valid.filter(({ finding: of, digest }) => of === finding.id && digest === finding.digest);
  const approval = ofThisEvidence.find((row) => row.action === askedBy[action]);
  const override = catalog.hold.length === 0 || action === 'repoint' ? undefined : await overrideFor(db, finding, now);
  const { verdict, ripe, due, dueAt = Number.POSITIVE_INFINITY } = finding.standing;
  const context: RemovalContext = {
    catalogState: catalog.state,
    hold: catalog.hold,
    admitted: override !== undefined,
    paused: catalog.pause !== null,
    stopped: catalog.stop !== null,
    roundProbing: exclusive && (await roundRuns(db, catalog.key)),
    exclusive,
    mode: modeFor(policy, finding.kind),
    kept:
      valid.some((row) => row.action === 'keep') ||
      (await isKeptByPattern(db, standingKeeps, finding, catalog.publishedRound)),
    finding: {
      open: finding.state === 'open',
      judgedByPublished: finding.movedBy === catalog.publishedRound && judgedUnder !== 'a-laxer-one',
      // Nobody but a person may take out what lives on under a name that is registered too.
      absent: verdict === 'absent' || (verdict === 'renamed' && finding.taken && approval !== undefined),
      movable: verdict === 'renamed' && !finding.taken && finding.movedTo !== null,
      // The round's word, and the clock's at this moment: one that was set back since takes its promises along.
      ripe: ripe && now - finding.registeredAt >= policy.minimumAgeMs,
      // Whatever a person might have wanted to look at under a new policy is announced by a round of that policy first.
      due: due && judgedUnder === 'this-policy' && dueAt <= now,
      blocked: finding.blocker !== null || (await isHeldBackInside(db, finding, now)),
      carried: finding.carrier !== null,
    },
    approved: approval !== undefined,
    rejected: ofThisEvidence.some((row) => row.action === 'reject'),
    limit: limitReached(weightOf(finding), removed, policy),
  };
  return {
    bar: action === 'repoint' ? repointBar(context) : removalBar(context),
    ...(approval === undefined ? {} : { approval }),
    ...(override === undefined ? {} : { override }),
  };
}

/** Dry scans count: they ask the same registry and the same source. */
async function roundRuns(db: LedgerDatabase, catalog: string): Promise<boolean> {
  const [running] = await db
    .select({ id: rounds.id })
    .from(rounds)
    .where(and(eq(rounds.catalog, catalog), eq(rounds.state, 'running')))
    .limit(1);
  return running !== undefined;
}

async function isHeldBackInside(db: LedgerDatabase, { id, inside }: FindingRow, now: number): Promise<boolean> {
  if (inside === 0) return false;
  const held = await db
    .select({ id: findings.id })
    .from(findings)
    .where(and(eq(findings.id, id), heldBackInside(db, now)));
  return held.length > 0;
}
