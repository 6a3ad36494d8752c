import { asc } from 'drizzle-orm';
import { type CatalogRow, catalogKey, catalogRow, noSuchCatalog } from './catalog-row.ts';
import type { LedgerDatabase } from './database.ts';
import type { CatalogLedger, CatalogRecord } from './ledger.ts';
import { applyPolicy, changePolicy, effectivePolicy, policyVersions } from './policies.ts';
import { catalogs } from './schema.ts';

export function createCatalogLedger(db: LedgerDatabase): CatalogLedger {
  return {
    async ensure(metalake, name, now) {
      const key = catalogKey(metalake, name);
      await db.insert(catalogs).values({ key, metalake, name, stateSince: now }).onConflictDoNothing();
      const row = await catalogRow(db, key);
      if (row === undefined) throw noSuchCatalog(key);
      return recordOf(row);
    },
    async catalog(key) {
      const row = await catalogRow(db, key);
      return row === undefined ? undefined : recordOf(row);
    },
    async catalogs() {
      const rows = await db.select().from(catalogs).orderBy(asc(catalogs.key));
      return rows.map(recordOf);
    },
    policy: (key) => effectivePolicy(db, key),
    applyPolicy: (input) => applyPolicy(db, input),
    changePolicy: (input) => changePolicy(db, input),
    policyVersions: (key, page) => policyVersions(db, key, page),
  };
}

function recordOf(row: CatalogRow): CatalogRecord {
  return {
    key: row.key,
    metalake: row.metalake,
    name: row.name,
    state: row.state,
    ...(row.stateReason === null ? {} : { stateReason: row.stateReason }),
    stateSince: row.stateSince,
    hold: row.hold,
    ...(row.pause === null ? {} : { pause: row.pause }),
    ...(row.stop === null ? {} : { stop: row.stop }),
    ...(row.publishedRound === null || row.publishedAt === null
      ? {}
      : { published: { id: row.publishedRound, at: row.publishedAt } }),
    ...(row.epoch === null ? {} : { epoch: row.epoch }),
    ...(row.fingerprint === null ? {} : { fingerprint: row.fingerprint }),
  };
}
