import { and, eq } from 'drizzle-orm';
import { objectKindsOf } from '../domain/registration.ts';
import { catalogRow } from './catalog-row.ts';
import type { LedgerDatabase } from './database.ts';
import { findings, identities, snapshot, transitions, verdicts } from './schema.ts';

/**
 * The object that stands under the name now becomes the one that is remembered, and the finding is closed. The next
 * round compares with it and finds the registration present.
 */
export async function acceptReplacement(
  tx: LedgerDatabase,
  finding: typeof findings.$inferSelect,
  now: number,
): Promise<void> {
  const { catalog, entity } = finding;
  const fingerprint = (await catalogRow(tx, catalog))?.fingerprint ?? undefined;
  // Identities mean something under one fingerprint only; without any, the next round remembers whom it sees.
  if (fingerprint !== undefined) {
    const seen = { uid: finding.uid, found: await foundAt(tx, finding), fingerprint };
    await tx
      .insert(identities)
      .values({ catalog, entity, ...seen })
      .onConflictDoUpdate({ target: [identities.catalog, identities.entity], set: seen });
  }
  await tx
    .update(findings)
    .set({ state: 'closed', closedWhy: 'accepted', updatedAt: now })
    .where(eq(findings.id, finding.id));
  await tx.insert(transitions).values({ finding: finding.id, at: now, what: 'closed', detail: { why: 'accepted' } });
}

/** What the round that moved the finding last saw under its name. */
async function foundAt(
  tx: LedgerDatabase,
  { movedBy, path, kind }: typeof findings.$inferSelect,
): Promise<(typeof identities.$inferInsert)['found']> {
  const [seen] = await tx
    .select({ found: verdicts.found })
    .from(snapshot)
    .innerJoin(verdicts, and(eq(verdicts.round, snapshot.round), eq(verdicts.row, snapshot.row)))
    .where(and(eq(snapshot.round, movedBy), eq(snapshot.path, path)));
  return seen?.found ?? objectKindsOf[kind][0];
}
