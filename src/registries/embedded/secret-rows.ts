import { type SQL, and, eq, inArray } from 'drizzle-orm';
import type { EmbeddedDatabase } from './database.ts';
import { catalogSecrets, entitySecrets } from './schema.ts';

/** By name; `null` takes one away, the others stay. */
export type SecretChange = Readonly<Record<string, string | null>>;

/** Whether any secret of the entity became another one. */
export async function changeEntitySecrets(
  tx: EmbeddedDatabase,
  entityId: string,
  change: SecretChange,
): Promise<boolean> {
  const touched = touchedBy(change, eq(entitySecrets.entityId, entityId), entitySecrets.name);
  if (touched === undefined) return false;
  const known = await tx.select().from(entitySecrets).where(touched);
  if (isAlready(known, change)) return false;
  await tx.delete(entitySecrets).where(touched);
  const kept = keptBy(change).map((secret) => ({ entityId, ...secret }));
  if (kept.length > 0) await tx.insert(entitySecrets).values(kept);
  return true;
}

/** Whether any secret of the catalog became another one. */
export async function changeCatalogSecrets(
  tx: EmbeddedDatabase,
  catalogId: string,
  change: SecretChange,
): Promise<boolean> {
  const touched = touchedBy(change, eq(catalogSecrets.catalogId, catalogId), catalogSecrets.name);
  if (touched === undefined) return false;
  const known = await tx.select().from(catalogSecrets).where(touched);
  if (isAlready(known, change)) return false;
  await tx.delete(catalogSecrets).where(touched);
  const kept = keptBy(change).map((secret) => ({ catalogId, ...secret }));
  if (kept.length > 0) await tx.insert(catalogSecrets).values(kept);
  return true;
}

interface Secret {
  readonly name: string;
  readonly value: string;
}

function touchedBy(
  change: SecretChange,
  owner: SQL,
  name: typeof entitySecrets.name | typeof catalogSecrets.name,
): SQL | undefined {
  const names = Object.keys(change);
  return names.length === 0 ? undefined : and(owner, inArray(name, names));
}

function isAlready(known: readonly Secret[], change: SecretChange): boolean {
  const values = new Map(known.map(({ name, value }) => [name, value]));
  return Object.entries(change).every(([name, value]) => (values.get(name) ?? null) === value);
}

function keptBy(change: SecretChange): readonly Secret[] {
  return Object.entries(change).flatMap(([name, value]) => (value === null ? [] : [{ name, value }]));
}
