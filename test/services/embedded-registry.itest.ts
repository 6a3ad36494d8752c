import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pathText } from '../../src/domain/path.ts';
import { type EmbeddedBench, openEmbeddedBench } from '../registries/embedded/embedded-bench.ts';
import { registryContract } from '../registries/registry-contract.ts';
import { PostgresServer } from '../support/postgres-server.ts';

let server: PostgresServer;
beforeAll(async () => {
  // Another default than the embedded registry expects: it must not depend on it.
  server = await PostgresServer.start({ default_transaction_isolation: 'serializable' });
});
afterAll(() => server?.close());

/** A database of its own, whose default collation is not by code point. */
async function open(name: string): Promise<EmbeddedBench> {
  await server.sql(
    `create database ${name} template template0 locale_provider icu icu_locale 'de-DE' locale 'C.UTF-8'`,
  );
  return openEmbeddedBench({ url: server.url(name) });
}

registryContract('embedded, on PostgreSQL', () => open('contract'));

describe('the embedded registry on PostgreSQL', () => {
  let bench: EmbeddedBench;
  beforeAll(async () => {
    bench = await open('crowd');
  });
  afterAll(() => bench?.close());
  const calm = () => new AbortController().signal;

  test('B43 children registered by a crowd are either taken by the removal or keep their container', async () => {
    for (let round = 0; round < 10; round += 1) {
      const catalog = await bench.catalog();
      const schema = await catalog.add('schema', ['s']);
      const child = await catalog.add('table', ['s', 'first']);
      const removal = bench.registry.remove({
        catalog: catalog.name,
        id: schema.id,
        kind: 'schema',
        path: ['s'],
        intentId: `intent ${schema.id}`,
        expectedVersion: schema.version,
        expectedInside: [{ id: child.id, version: child.version }],
        actor: 'reconciler',
        notAfter: bench.clock.now,
      });
      const crowd = ['a', 'b', 'c', 'd'].map((name) => catalog.add('table', ['s', name]));
      const [answer, ...registered] = await Promise.allSettled([removal, ...crowd]);
      const { items } = await bench.registry.registrations(catalog.name, { limit: 10 }, calm());
      const left = items.map(({ path }) => pathText(path));
      if (answer.status === 'fulfilled' && answer.value.outcome === 'removed') {
        expect(registered.every(({ status }) => status === 'rejected')).toBe(true);
        expect(left).toEqual([]);
      } else {
        expect(answer).toMatchObject({ value: { outcome: 'changed', reason: 'new-child' } });
        expect(left).toEqual(['s', 's/a', 's/b', 's/c', 's/d', 's/first']);
      }
    }
  });

  test('a database that dies under a removal leaves it unknown; looked up later, nothing was removed', async () => {
    const catalog = await bench.catalog();
    const schema = await catalog.add('schema', ['s']);
    catalog.whileAsking(['s'], () => server.kill());
    const request = {
      catalog: catalog.name,
      id: schema.id,
      kind: 'schema',
      path: ['s'],
      intentId: `intent ${schema.id}`,
      expectedVersion: schema.version,
      expectedInside: [],
      actor: 'reconciler',
      notAfter: bench.clock.now,
    } as const;
    expect(await bench.registry.remove(request)).toMatchObject({ outcome: 'unknown' });
    await expect(bench.registry.count(catalog.name, calm())).rejects.toMatchObject({ type: 'RegistryUnreachable' });
    await server.start();
    expect(await bench.registry.outcomeOf(catalog.name, request.intentId, calm())).toBe('no-trace');
    expect(await bench.registry.registration(catalog.name, schema.id, calm())).toEqual(schema);
    expect(await bench.registry.remove(request)).toEqual({ outcome: 'removed', entities: 1 });
  });

  test('one name registered by a crowd is registered once', async () => {
    const catalog = await bench.catalog();
    const crowd = Array.from({ length: 8 }, () => catalog.add('schema', ['s']));
    const outcomes = await Promise.allSettled(crowd);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await bench.registry.count(catalog.name, calm())).toBe(1);
  });

  test('100,000 registrations are listed completely, and a container goes with 10,000 of them', async () => {
    const catalog = await bench.catalog();
    const items = Array.from({ length: 100_000 }, (_, n) => ({
      kind: 'table' as const,
      path: [n < 10_000 ? 'going' : 'staying', `t ${n % 100}`, `x${n}`] as const,
    }));
    const counts = await bench.registry.importRegistrations(catalog.name, items, 'ann', calm());
    expect(counts).toEqual({ added: 100_202, existing: 0, refused: 0 });
    const inside: { id: string; version: string }[] = [];
    let root = { id: '', version: '' };
    let before = '';
    let listed = 0;
    for (let after: string | undefined = ''; after !== undefined; ) {
      const asked = after === '' ? { limit: 5_000 } : { after, limit: 5_000 };
      const page = await bench.registry.registrations(catalog.name, asked, calm());
      for (const { id, version, path } of page.items) {
        expect(Buffer.compare(Buffer.from(pathText(path)), Buffer.from(before))).toBe(1);
        before = pathText(path);
        listed += 1;
        if (path[0] !== 'going') continue;
        if (path.length === 1) root = { id, version };
        else inside.push({ id, version });
      }
      after = page.next;
    }
    expect(listed).toBe(100_202);
    expect(inside).toHaveLength(10_100);
    const answer = await bench.registry.remove({
      catalog: catalog.name,
      id: root.id,
      kind: 'schema',
      path: ['going'],
      intentId: `intent ${root.id}`,
      expectedVersion: root.version,
      expectedInside: inside,
      actor: 'reconciler',
      notAfter: bench.clock.now,
    });
    expect(answer).toEqual({ outcome: 'removed', entities: 10_101 });
    expect(await bench.registry.count(catalog.name, calm())).toBe(90_101);
    expect(await bench.registry.dropsSince(catalog.name, 0, calm())).toBe(10_101);
  });
});
