import { staticTokens } from '../../../src/api/credentials/static-tokens.ts';
import type { ApiLimits } from '../../../src/api/deps.ts';
import { deltaHandler } from '../../../src/delta/handler.ts';
import { LakeBackend } from '../../../src/registries/embedded/lake/lake-backend.ts';
import { UnityDesk } from '../../../src/registries/embedded/lake/unity-desk.ts';
import { storageAccess } from '../../../src/registries/embedded/storage/storage.ts';
import { type ApiHouse, openHouse, openTestLedger } from '../../api/api-house.ts';
import type { DeltaServer } from '../../delta/cases/delta-server.ts';
import { type EmbeddedBench, openEmbeddedBench } from '../../registries/embedded/embedded-bench.ts';

const tokenOf = (principal: string) => `token-of-${principal}-0123456789`;
const keys = { accessKeyId: 'accessKey0', secretAccessKey: 'secretKey0', sessionToken: 'sessionToken0' };

/** The Unity Catalog API over the embedded registry, in memory or on the PostgreSQL at `url`, listening on loopback. */
export async function openEmbeddedServer(
  root: string,
  { principals, url, limits }: { readonly principals: boolean; readonly url?: string; readonly limits?: ApiLimits },
): Promise<DeltaServer & { readonly house: ApiHouse; readonly bench: EmbeddedBench }> {
  const bench = await openEmbeddedBench(url === undefined ? {} : { url });
  const place = { db: bench.db, metalake: bench.metalake, now: () => Date.now(), storageRoot: root };
  const storage = storageAccess([{ name: 'test-bucket0', region: 'us-east-1', keys }]);
  const ledger = await openTestLedger();
  const people = ['alice', 'bob'].map((name) => ({
    principal: { name, roles: ['operator'] as const },
    token: tokenOf(name),
  }));
  const house = await openHouse(ledger, {
    delta: deltaHandler(new LakeBackend({ ...place, storage, authorization: principals })),
    unity: { desk: new UnityDesk(place), vend: (location, access) => storage.vend(location, access) },
    ...(limits === undefined ? {} : { limits }),
    ...(principals ? { authenticator: staticTokens(people) } : {}),
  });
  const origin = await house.app.listen({ host: '127.0.0.1', port: 0 });
  const baseUrl = `${origin}/api/2.1/unity-catalog`;
  const headersOf = (principal: string | undefined) =>
    principal === undefined ? {} : { authorization: `Bearer ${tokenOf(principal)}` };

  async function post(path: string, body: object): Promise<void> {
    const answer = await fetch(baseUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headersOf(principals ? 'alice' : undefined) },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  }

  let schemas = 0;
  return {
    house,
    bench,
    baseUrl,
    offers: new Set(['legacy-tables', 'principals', 's3-static-credentials', 'server-reads-storage']),
    async openSchema() {
      if (schemas === 0) await post('/catalogs', { name: 'unity' });
      schemas += 1;
      const schema = `s${schemas}`;
      await post('/schemas', { name: schema, catalog_name: 'unity' });
      return { catalog: 'unity', schema };
    },
    headersOf,
    async close() {
      await house.close();
      await ledger.close();
      await bench.close();
    },
  };
}
