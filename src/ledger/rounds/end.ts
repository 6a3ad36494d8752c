import { and, eq, ne } from 'drizzle-orm';
import { ReconcilerFailure } from '../../domain/failure.ts';
import { lockCatalog } from '../catalog-row.ts';
import type { LedgerDatabase } from '../database.ts';
import type { RoundLedger, RoundRecord } from '../ledger.ts';
import type { CatalogState } from '../records.ts';
import { catalogs, rounds } from '../schema.ts';
import { countRound } from './counts.ts';
import { knownRound, roundRecord } from './round-record.ts';

type EndRound = Parameters<RoundLedger['end']>[0];

/** A round that has ended stays as it ended; the record tells. */
export async function endRound(db: LedgerDatabase, { id, state, reason, now }: EndRound): Promise<RoundRecord> {
  return db.transaction(async (tx) => {
    const { catalog, dry } = await knownRound(tx, id);
    if (state === 'scanned' && !dry) {
      throw new ReconcilerFailure('InvalidRequest', 'not-a-scan', `round ${id} judges, so it is published or fails`);
    }
    await lockCatalog(tx, catalog);
    const round = await knownRound(tx, id);
    if (round.state !== 'running') return roundRecord(round);
    const counts = await countRound(tx, id, catalog);
    const [ended] = await tx
      .update(rounds)
      .set({ state, reason: reason ?? null, endedAt: now, counts })
      .where(eq(rounds.id, id))
      .returning();
    if (!dry && state !== 'scanned') {
      const after: CatalogState = state === 'cancelled' ? 'failed' : state;
      await tx
        .update(catalogs)
        .set({ stateReason: reason ?? null })
        .where(eq(catalogs.key, catalog));
      await tx
        .update(catalogs)
        .set({ state: after, stateSince: now })
        .where(and(eq(catalogs.key, catalog), ne(catalogs.state, after)));
    }
    return roundRecord(ended ?? round);
  });
}
