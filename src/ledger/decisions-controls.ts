import { and, eq, inArray } from 'drizzle-orm';
import type { Actor } from '../domain/actor.ts';
import { canonical } from '../domain/digest.ts';
import { writeAudit } from './audit.ts';
import { lockCatalog } from './catalog-row.ts';
import { type LedgerDatabase, rowsAStatement } from './database.ts';
import type { CatalogKey } from './ledger.ts';
import type { Pause, RoundReason } from './records.ts';
import { catalogs, identities, rounds } from './schema.ts';

export async function pause(db: LedgerDatabase, catalog: CatalogKey, pause: Pause, actor: Actor): Promise<void> {
  await db.transaction(async (tx) => {
    const row = await lockCatalog(tx, catalog);
    if (canonical(row.pause) === canonical(pause)) return;
    await tx.update(catalogs).set({ pause }).where(eq(catalogs.key, catalog));
    const detail = { by: pause.by, reason: pause.reason };
    await writeAudit(tx, { at: pause.at, catalog, actor, action: 'paused', subject: catalog, detail });
  });
}

export async function resume(
  db: LedgerDatabase,
  catalog: CatalogKey,
  actor: Actor,
  now: number,
  reason?: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { pause: paused, stop: stopped } = await lockCatalog(tx, catalog);
    if (paused === null && stopped === null) return;
    await tx.update(catalogs).set({ pause: null, stop: null }).where(eq(catalogs.key, catalog));
    const detail = { paused, stopped, ...(reason === undefined ? {} : { reason }) };
    await writeAudit(tx, { at: now, catalog, actor, action: 'resumed', subject: catalog, detail });
  });
}

/**
 * What is known of the source belongs to another one, so nothing may be removed by it: the catalog counts as never
 * scanned until a round has looked with new eyes. A round that is under way compared with what is forgotten now, and
 * would leave gaps in what is remembered; it ends here.
 */
export async function acceptSource(
  db: LedgerDatabase,
  catalog: CatalogKey,
  actor: Actor,
  reason: string,
  now: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { fingerprint, epoch } = await lockCatalog(tx, catalog);
    await tx
      .update(catalogs)
      .set({ fingerprint: null, epoch: null, state: 'never-scanned', stateReason: null, stateSince: now })
      .where(eq(catalogs.key, catalog));
    const superseded: RoundReason = {
      type: 'RoundSuperseded',
      code: 'source-accepted',
      message: 'another source was accepted before this round had ended',
    };
    await tx
      .update(rounds)
      .set({ state: 'failed', reason: superseded, endedAt: now })
      .where(and(eq(rounds.catalog, catalog), eq(rounds.state, 'running'), eq(rounds.dry, false)));
    const forgotten = await forgetIdentities(tx, catalog);
    await writeAudit(tx, {
      at: now,
      catalog,
      actor,
      action: 'source-accepted',
      subject: catalog,
      detail: { reason, fingerprint, epoch, identities: forgotten },
    });
  });
}

async function forgetIdentities(tx: LedgerDatabase, catalog: CatalogKey): Promise<number> {
  for (let total = 0; ; ) {
    const some = tx
      .select({ entity: identities.entity })
      .from(identities)
      .where(eq(identities.catalog, catalog))
      .limit(rowsAStatement);
    const gone = await tx
      .delete(identities)
      .where(and(eq(identities.catalog, catalog), inArray(identities.entity, some)))
      .returning({ entity: identities.entity });
    total += gone.length;
    if (gone.length < rowsAStatement) return total;
  }
}
