import type { Authenticator } from '../../../src/api/credentials/authenticator.ts';
import { staticTokens } from '../../../src/api/credentials/static-tokens.ts';
import { deltaHandler } from '../../../src/delta/handler.ts';
import type { ApiHouse } from '../../api/api-house.ts';
import { openHouse, openTestLedger } from '../../api/api-house.ts';
import type { DeltaServer } from '../../delta/cases/delta-server.ts';
import { MemoryDeltaBackend } from './memory-backend.ts';

const catalog = 'unity';
const tokenOf = (principal: string) => `token-of-${principal}-0123456789`;

const handedOut: Authenticator = staticTokens(
  ['alice', 'bob'].map((name) => ({ principal: { name, roles: ['operator'] }, token: tokenOf(name) })),
);

/** The API over the backend in memory, listening on a free port of loopback. */
export async function openMemoryServer(
  root: string,
  { principals }: { readonly principals: boolean },
): Promise<DeltaServer & { readonly house: ApiHouse; readonly backend: MemoryDeltaBackend }> {
  const backend = new MemoryDeltaBackend({ authorization: principals });
  const ledger = await openTestLedger();
  const house = await openHouse(ledger, {
    delta: deltaHandler(backend),
    ...(principals ? { authenticator: handedOut } : {}),
  });
  const origin = await house.app.listen({ host: '127.0.0.1', port: 0 });
  let schemas = 0;
  return {
    house,
    backend,
    baseUrl: `${origin}/api/2.1/unity-catalog`,
    offers: new Set(['principals', 's3-static-credentials', 'server-reads-storage']),
    async openSchema() {
      schemas += 1;
      const schema = `s${schemas}`;
      backend.store.addSchema({ catalog, schema }, `${root}/${schema}`);
      return { catalog, schema };
    },
    headersOf: (principal) => (principal === undefined ? {} : { authorization: `Bearer ${tokenOf(principal)}` }),
    async close() {
      await house.close();
      await ledger.close();
    },
  };
}
