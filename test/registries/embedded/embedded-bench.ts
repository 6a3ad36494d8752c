import { PGlite } from '@electric-sql/pglite';
import type { Logger } from 'drizzle-orm/logger';
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres';
import { migrate as migratePg } from 'drizzle-orm/node-postgres/migrator';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator';
import pg from 'pg';
import { type Path, pathText } from '../../../src/domain/path.ts';
import type { EntityKind, Registration } from '../../../src/domain/registration.ts';
import type { EmbeddedDatabase } from '../../../src/registries/embedded/database.ts';
import { EmbeddedRegistry } from '../../../src/registries/embedded/embedded-registry.ts';
import { EmbeddedMetalakes } from '../../../src/registries/embedded/metalakes.ts';
import { migrationsFolder, migrationsTable } from '../../../src/registries/embedded/migrations-folder.ts';
import { RegistryDesk } from '../../../src/registries/embedded/registry-desk.ts';
import type { Attaching, CatalogBench, RegistryBench } from '../contract/registry-bench.ts';

/** The embedded registry with everything around it in the hands of a test. */
export interface EmbeddedBench extends RegistryBench {
  readonly db: EmbeddedDatabase;
  readonly metalake: string;
  readonly metalakes: EmbeddedMetalakes;
  readonly registry: EmbeddedRegistry;
  readonly desk: RegistryDesk;
}

type Answer = 'absent' | 'present' | 'unknown';

/** What the source of one catalog says and was asked. */
interface SourceScript {
  readonly answers: Map<string, Answer>;
  readonly happenings: Map<string, () => Promise<unknown>>;
  readonly asked: string[];
}

/** In memory, or on the PostgreSQL at `url`. */
export async function openEmbeddedBench(where: { url?: string; logger?: Logger } = {}): Promise<EmbeddedBench> {
  const { db, close } = where.url === undefined ? await inMemory(where.logger) : await onServer(where.url);
  const clock = { now: Date.UTC(2026, 0, 1) };
  const now = () => clock.now;
  const metalake = 'prod';
  const metalakes = new EmbeddedMetalakes({ db, now });
  await metalakes.create({ name: metalake }, 'operator');
  const sources = new Map<string, SourceScript>();
  const registry = new EmbeddedRegistry({
    db,
    metalake,
    now,
    stillExists: async (catalog, { path }) => {
      const key = pathText(path);
      const source = sources.get(catalog);
      source?.asked.push(key);
      const happening = source?.happenings.get(key);
      source?.happenings.delete(key);
      await happening?.();
      return source?.answers.get(key) ?? 'absent';
    },
  });
  const desk = new RegistryDesk({ db, metalake, now });

  async function catalog(managedKinds: readonly EntityKind[] = []): Promise<CatalogBench> {
    const name = `catalog ${sources.size}`;
    const source: SourceScript = { answers: new Map(), happenings: new Map(), asked: [] };
    sources.set(name, source);
    await desk.createCatalog({ name, provider: 'postgresql', managedKinds }, 'operator');
    return {
      name,
      add: (kind, path) => added(desk, name, kind, path),
      addAll: (items) => registry.importRegistrations(name, items, 'ann', new AbortController().signal),
      attach: (id, what) => attached(desk, name, id, what),
      rename: async (id, to) => {
        await desk.rename({ catalog: name, actor: 'ann', target: { by: 'id', id }, to });
      },
      drop: async (id) => {
        await desk.drop({ catalog: name, actor: 'ann', target: { by: 'id', id }, cascade: true });
      },
      sourceSays: (path, answer) => source.answers.set(pathText(path), answer),
      whileAsking: (path, happening) => source.happenings.set(pathText(path), happening),
      asked: () => source.asked,
    };
  }

  return { db, metalake, metalakes, registry, desk, clock, catalog, close };
}

async function added(desk: RegistryDesk, catalog: string, kind: EntityKind, path: Path): Promise<Registration> {
  const { id, version, createdAt, managed, ...entity } = await desk.create({ catalog, actor: 'ann', kind, path });
  return { id, kind: entity.kind, path: entity.path, version, createdAt, managed };
}

async function attached(desk: RegistryDesk, catalog: string, id: string, change: Attaching): Promise<void> {
  await desk.alter({ catalog, actor: 'ann', target: { by: 'id', id }, change });
}

async function inMemory(logger?: Logger): Promise<{ db: EmbeddedDatabase; close: () => Promise<void> }> {
  const client = await PGlite.create();
  const db = drizzlePglite({ client, ...(logger === undefined ? {} : { logger }) });
  await migratePglite(db, { migrationsFolder, migrationsTable });
  return { db, close: () => client.close() };
}

async function onServer(url: string): Promise<{ db: EmbeddedDatabase; close: () => Promise<void> }> {
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  pool.on('error', () => {}); // an idle connection of a server that is being stopped
  pool.on('connect', (connection) => connection.on('error', () => {})); // and one with an open transaction
  const db = drizzlePg({ client: pool });
  await migratePg(db, { migrationsFolder, migrationsTable });
  // drizzle never gives a connection back whose `begin` failed, and the pool would wait for it.
  const lent = new Set<pg.PoolClient>();
  pool.on('acquire', (connection) => void lent.add(connection));
  pool.on('release', (_error, connection) => void lent.delete(connection));
  const close = async () => {
    for (const connection of lent) connection.release(true);
    await pool.end();
  };
  return { db, close };
}
