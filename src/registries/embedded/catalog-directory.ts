import { randomUUID } from 'node:crypto';
import { and, asc, eq, gt } from 'drizzle-orm';
import { isDeepStrictEqual } from 'node:util';
import {
  type CatalogChange,
  type CatalogRecord,
  type NewCatalog,
  catalogRecordOf,
  changedTexts,
  refuseSecretsIn,
} from './catalog-record.ts';
import { type CatalogRow, requireCatalog, withCatalogLocked } from './catalog-row.ts';
import { type EmbeddedDatabase, inTransaction } from './database.ts';
import { type EntityEventType, recordEvents } from './event-record.ts';
import { nameProblem } from './names.ts';
import { checkVersion } from './operations/expected-version.ts';
import { invalidCursor, nameCursorOf, parseNameCursor } from './page-cursor.ts';
import { RegistryRefusal } from './refusal.ts';
import type { PageRequest } from './registrations.ts';
import { catalogSecrets, catalogs, entities, metalakes } from './schema.ts';
import { changeCatalogSecrets } from './secret-rows.ts';

export interface DirectoryDeps {
  readonly db: EmbeddedDatabase;
  readonly metalake: string;
  readonly now: () => number;
}

/** Who asks, and which version they have seen. */
export interface Asked {
  readonly actor: string;
  readonly expectedVersion?: string;
}

export interface CatalogPage {
  readonly items: readonly CatalogRecord[];
  readonly next?: string;
}

/** All catalogs of the metalake, by name. */
export async function allCatalogs({ db, metalake }: DirectoryDeps): Promise<readonly CatalogRow[]> {
  return db.select().from(catalogs).where(eq(catalogs.metalake, metalake)).orderBy(asc(catalogs.name));
}

export async function catalogPage(
  { db, metalake }: DirectoryDeps,
  { after, limit }: PageRequest,
): Promise<CatalogPage> {
  const name = after === undefined ? undefined : (parseNameCursor(after) ?? invalidCursor());
  const rows = await db
    .select()
    .from(catalogs)
    .where(and(eq(catalogs.metalake, metalake), name === undefined ? undefined : gt(catalogs.name, name)))
    .orderBy(asc(catalogs.name))
    .limit(limit + 1);
  const last = rows[limit - 1];
  return {
    items: rows.slice(0, limit).map(catalogRecordOf),
    ...(rows.length > limit && last !== undefined ? { next: nameCursorOf(last.name) } : {}),
  };
}

export async function createCatalog(deps: DirectoryDeps, wanted: NewCatalog, actor: string): Promise<CatalogRecord> {
  const { db, metalake, now } = deps;
  const { secrets = {}, owner = actor, caseRule = 'sensitive', ...given } = wanted;
  const problem = nameProblem(given.name);
  if (problem !== undefined) throw new RegistryRefusal('invalid-name', problem);
  refuseSecretsIn(given.settings);
  refuseSecretsIn(given.properties);
  return inTransaction(db, async (tx) => {
    const [home] = await tx.select().from(metalakes).where(eq(metalakes.name, metalake));
    if (home === undefined) throw new RegistryRefusal('not-found', `no metalake ${JSON.stringify(metalake)}`);
    const at = now();
    const [row] = await tx
      .insert(catalogs)
      .values({ ...given, id: randomUUID(), metalake, owner, caseRule, createdAt: at, updatedAt: at })
      .onConflictDoNothing()
      .returning();
    if (row === undefined) {
      throw new RegistryRefusal('already-exists', `catalog ${JSON.stringify(given.name)} exists already`);
    }
    await changeCatalogSecrets(tx, row.id, secrets);
    await recordCatalogEvent(tx, deps, row.name, 'created', actor);
    return catalogRecordOf(row);
  });
}

/** Raises the version, unless everything is as wished already. */
export async function alterCatalog(
  deps: DirectoryDeps,
  name: string,
  change: CatalogChange,
  { actor, expectedVersion }: Asked,
): Promise<CatalogRecord> {
  refuseSecretsIn(change.settings);
  refuseSecretsIn(change.properties);
  return withCatalogLocked(deps.db, { metalake: deps.metalake, catalog: name }, async (tx, before) => {
    checkVersion(catalogRecordOf(before), expectedVersion);
    const { secrets = {}, settings, properties, ...fields } = change;
    const after: CatalogRow = {
      ...before,
      ...fields,
      settings: changedTexts(before.settings, settings),
      properties: changedTexts(before.properties, properties),
    };
    const secretsChanged = await changeCatalogSecrets(tx, before.id, secrets);
    if (!secretsChanged && isDeepStrictEqual(before, after)) return catalogRecordOf(before);
    const row: CatalogRow = { ...after, version: before.version + 1, updatedAt: deps.now() };
    await tx.update(catalogs).set(row).where(eq(catalogs.id, before.id));
    await recordCatalogEvent(tx, deps, name, 'altered', actor);
    return catalogRecordOf(row);
  });
}

/** Only an empty one: what is registered in it would be lost without a word. */
export async function dropCatalog(deps: DirectoryDeps, name: string, { actor, expectedVersion }: Asked): Promise<void> {
  await withCatalogLocked(deps.db, { metalake: deps.metalake, catalog: name }, async (tx, row) => {
    checkVersion(catalogRecordOf(row), expectedVersion);
    const [content] = await tx
      .select({ id: entities.id })
      .from(entities)
      .where(eq(entities.catalogId, row.id))
      .limit(1);
    if (content !== undefined) {
      throw new RegistryRefusal('not-empty', `catalog ${JSON.stringify(name)} still has registrations`);
    }
    await tx.delete(catalogSecrets).where(eq(catalogSecrets.catalogId, row.id));
    await tx.delete(catalogs).where(eq(catalogs.id, row.id));
    await recordCatalogEvent(tx, deps, name, 'removed', actor);
  });
}

/** Everything that it takes to connect to the source, the secrets included. */
export interface CatalogConnection {
  readonly provider: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
}

export async function connectionOf({ db, metalake }: DirectoryDeps, name: string): Promise<CatalogConnection> {
  const { id, provider, settings } = await requireCatalog(db, { metalake, catalog: name });
  const rows = await db.select().from(catalogSecrets).where(eq(catalogSecrets.catalogId, id));
  return { provider, settings, secrets: Object.fromEntries(rows.map((row) => [row.name, row.value])) };
}

async function recordCatalogEvent(
  tx: EmbeddedDatabase,
  { metalake, now }: DirectoryDeps,
  catalog: string,
  type: EntityEventType,
  actor: string,
): Promise<void> {
  const event = { type, outcome: 'ok', kind: 'catalog', pathKey: '' } as const;
  await recordEvents(tx, { metalake, catalog, actor, at: now() }, [event]);
}
