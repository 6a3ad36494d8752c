import { and, eq, inArray, type SQL } from 'drizzle-orm';
import type { LedgerDatabase } from './database.ts';
import { decisions, transitions } from './schema.ts';

/** So many rows of five values stay well below what one statement may carry. */
const rowsAtOnce = 5_000;

/** Ends every active decision that matches, with a line in each finding's history, and says how many those were. */
export async function endDecisions(
  tx: LedgerDatabase,
  which: SQL | undefined,
  end: { readonly state: 'void' | 'consumed'; readonly why: string; readonly now: number },
): Promise<number> {
  for (let total = 0; ; ) {
    const some = tx
      .select({ id: decisions.id })
      .from(decisions)
      .where(and(eq(decisions.state, 'active'), which))
      .limit(rowsAtOnce);
    const ended = await tx
      .update(decisions)
      .set({ state: end.state, stateWhy: end.why })
      .where(inArray(decisions.id, some))
      .returning({ id: decisions.id, finding: decisions.finding, action: decisions.action });
    if (ended.length > 0) {
      await tx.insert(transitions).values(
        ended.map(({ id, finding, action }) => ({
          finding,
          at: end.now,
          what: `decision-${end.state}`,
          detail: { decision: id, action, why: end.why },
        })),
      );
    }
    total += ended.length;
    if (ended.length < rowsAtOnce) return total;
  }
}
