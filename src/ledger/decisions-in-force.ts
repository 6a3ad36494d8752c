import { and, eq, gt, isNull, or, type SQL } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { askedBy } from '../domain/decision.ts';
import type { IntentAction } from '../domain/removal.ts';
import type { decisions as table } from './schema.ts';

export type DecisionRow = typeof table.$inferSelect;

/** The table of decisions or an alias of it. */
type Decisions = Readonly<Record<'state' | 'action' | 'expiresAt' | 'keepUntil', AnyPgColumn>>;

/**
 * A decision as far as time goes: active, what is to be carried out not expired, a keep not over. Whether its evidence is still that
 * of the finding is the reader's to compare.
 */
export function inForce(row: Pick<DecisionRow, 'state' | 'action' | 'expiresAt' | 'keepUntil'>, now: number): boolean {
  if (row.state !== 'active') return false;
  if (row.action === 'approve' || row.action === 'repoint') return row.expiresAt !== null && row.expiresAt > now;
  return row.action !== 'keep' || row.keepUntil === null || row.keepUntil > now;
}

/** Decisions that ask for an intent. */
export function asks(decisions: Decisions, action: IntentAction, now: number): SQL | undefined {
  return and(eq(decisions.state, 'active'), eq(decisions.action, askedBy[action]), gt(decisions.expiresAt, now));
}

export function approves(decisions: Decisions, now: number): SQL | undefined {
  return asks(decisions, 'remove', now);
}

export function keeps(decisions: Decisions, now: number): SQL | undefined {
  return and(
    eq(decisions.state, 'active'),
    eq(decisions.action, 'keep'),
    or(isNull(decisions.keepUntil), gt(decisions.keepUntil, now)),
  );
}

export function rejects(decisions: Decisions): SQL | undefined {
  return and(eq(decisions.state, 'active'), eq(decisions.action, 'reject'));
}
