import { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import type { Authenticator } from '../../src/api/credentials/authenticator.ts';
import type { ApiLimits } from '../../src/api/deps.ts';
import { staticTokens } from '../../src/api/credentials/static-tokens.ts';
import { registryRoutes } from '../../src/api/routes/registry/registry-routes.ts';
import { type Role, roles } from '../../src/domain/permission.ts';
import { ownersIn } from '../../src/main/credentials.ts';
import { EmbeddedRegistry } from '../../src/registries/embedded/embedded-registry.ts';
import { EmbeddedMetalakes } from '../../src/registries/embedded/metalakes.ts';
import { migrationsFolder, migrationsTable } from '../../src/registries/embedded/migrations-folder.ts';
import { t0 } from '../ledger/seed.ts';
import type { TestLedger } from '../support/ledger.ts';
import { type ApiHouse, openHouse } from './api-house.ts';

/**
 * Who is in the house: one for each role; `nobody` without any; `lena`, who owns metalake `lake`, `olga`, who owns its
 * catalog `shop`, and `eve`, who owns metalake `pond`, its `shop`, and the other catalog of `lake`.
 */
export const people = ['viewer', 'approver', 'operator', 'nobody', 'lena', 'olga', 'eve'] as const;
export type Person = (typeof people)[number];

export function tokenOf(person: Person): string {
  return `token-of-${person}-0123456789`;
}

export function headersOf(person: Person): { readonly authorization: string } {
  return { authorization: `Bearer ${tokenOf(person)}` };
}

const handedOut = staticTokens(
  people.map((name) => ({
    principal: { name, roles: roles.filter((role: Role) => role === name) },
    token: tokenOf(name),
  })),
);

/** The API as it is with credentials: every route, and owners as the embedded registry has them. */
export async function openAccessHouse(
  at: TestLedger,
  authenticator: Authenticator = handedOut,
  limits?: ApiLimits,
): Promise<ApiHouse> {
  const client = await PGlite.create();
  const db = drizzle({ client });
  await migrate(db, { migrationsFolder, migrationsTable });
  const now = () => t0;
  const metalakes = new EmbeddedMetalakes({ db, now });
  for (const [metalake, owner, catalogs] of [
    ['lake', 'lena', { shop: 'olga', empty: 'eve' }],
    ['pond', 'eve', { shop: 'eve' }],
  ] as const) {
    await metalakes.create({ name: metalake, owner }, 'nobody');
    const desk = await metalakes.desk(metalake);
    for (const [name, catalogOwner] of Object.entries(catalogs)) {
      await desk?.createCatalog({ name, provider: 'postgresql', owner: catalogOwner }, 'nobody');
    }
  }
  const registryOf = (metalake: string) =>
    new EmbeddedRegistry({
      db,
      metalake,
      now,
      stillExists: () => Promise.reject(new Error('nothing is removed here')),
    });
  const house = await openHouse(at, {
    authenticator,
    ...(limits === undefined ? {} : { limits }),
    ownersOf: ownersIn({ metalakes, registryOf }),
    registryRoutes: registryRoutes({ metalakes }),
  });
  const close = house.close.bind(house);
  return Object.assign(house, {
    async close() {
      await close();
      await client.close();
    },
  });
}
