import { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApi } from '../../src/api/app.ts';
import { registryRoutes } from '../../src/api/routes/registry/registry-routes.ts';
import type { ApiServer } from '../../src/api/server.ts';
import { EmbeddedMetalakes } from '../../src/registries/embedded/metalakes.ts';
import { migrationsFolder, migrationsTable } from '../../src/registries/embedded/migrations-folder.ts';

let client: PGlite;
let app: ApiServer;
const clock = { now: Date.UTC(2026, 0, 1) };

beforeAll(async () => {
  client = await PGlite.create();
  const db = drizzle({ client });
  await migrate(db, { migrationsFolder, migrationsTable });
  const metalakes = new EmbeddedMetalakes({ db, now: () => clock.now });
  const unused = {} as never;
  app = await buildApi({
    ledger: unused,
    gateway: unused,
    metalakes: () => [],
    registries: () => undefined,
    importCatalog: () => Promise.reject(new Error('not in this test')),
    patternProblem: () => undefined,
    registryRoutes: registryRoutes({ metalakes }),
    clock: () => clock.now,
    logger: pino({ level: 'silent' }),
    defaultActor: 'ann',
    version: '0.0.0',
    ownersOf: async () => [],
    limits: { requestsPerMinute: 100_000, requestsInFlight: 100 },
    loopbackOnly: false,
  });
  await ask('POST', '/api/metalakes', { name: 'prod' });
});
afterAll(async () => {
  await app?.close();
  await client?.close();
});

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

async function ask(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const answer = await app.inject({ method, url, headers: { ...json, ...headers }, ...payload });
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: answer.payload === '' ? undefined : (JSON.parse(answer.payload) as unknown),
  };
}

let catalogs = 0;

/** The address of a fresh catalog with a schema `s` in it. */
async function freshCatalog(): Promise<string> {
  catalogs += 1;
  const name = `catalog ${catalogs}`;
  await ask('POST', '/api/metalakes/prod/catalogs', { name, provider: 'postgresql' });
  const url = `/api/metalakes/prod/catalogs/${encodeURIComponent(name)}`;
  await ask('POST', `${url}/schemas`, { path: ['s'] });
  return url;
}

const problem = (type: string) => ({ type: `/api/problems/${type}` });

describe('metalakes', () => {
  test('are created, read, listed and owned', async () => {
    const created = await ask('POST', '/api/metalakes', { name: 'test/lake', comment: 'for tests' });
    expect(created).toMatchObject({
      status: 201,
      headers: { location: '/api/metalakes/test%2Flake', etag: '"1"' },
      body: { name: 'test/lake', owner: 'ann', comment: 'for tests', version: '1', createdAt: clock.now },
    });
    expect(await ask('GET', '/api/metalakes/test%2Flake')).toMatchObject({ status: 200, body: created.body });
    expect(await ask('PUT', '/api/metalakes/test%2Flake/owner', { owner: 'bob' })).toMatchObject({
      body: { owner: 'bob', version: '2' },
    });
    expect((await ask('DELETE', '/api/metalakes/test%2Flake/owner')).body).toEqual({ version: '3' });
    const first = await ask('GET', '/api/metalakes?limit=1');
    expect(first.body).toMatchObject({ metalakes: [{ name: 'prod' }] });
    const { next } = first.body as { next: string };
    const second = await ask('GET', `/api/metalakes?limit=1&cursor=${encodeURIComponent(next)}`);
    expect(second.body).toEqual({ metalakes: [expect.objectContaining({ name: 'test/lake' })] });
  });

  test('exist once', async () => {
    expect(await ask('POST', '/api/metalakes', { name: 'prod' })).toMatchObject({
      status: 409,
      body: { ...problem('registry-refused'), reason: { code: 'already-exists' } },
    });
    expect(await ask('GET', '/api/metalakes/none')).toMatchObject({ status: 404, body: problem('no-such-metalake') });
    expect(await ask('GET', '/api/metalakes/none/catalogs')).toMatchObject({ status: 404 });
  });
});

describe('catalogs', () => {
  test('are created with what it takes to connect; the secrets are in no answer', async () => {
    const url = '/api/metalakes/prod/catalogs/shop';
    const created = await ask('POST', '/api/metalakes/prod/catalogs', {
      name: 'shop',
      provider: 'postgresql',
      settings: { host: 'db', port: '5432', user: 'reader' },
      properties: { team: 'sales' },
      managedKinds: ['topic'],
      caseRule: 'lower',
      secrets: { password: 'hunter2' },
    });
    expect(created).toMatchObject({
      status: 201,
      headers: { location: url, etag: '"1"' },
      body: { name: 'shop', owner: 'ann', settings: { host: 'db' }, managedKinds: ['topic'], caseRule: 'lower' },
    });
    const altered = await ask('PATCH', url, {
      settings: { port: null, sslmode: 'require' },
      secrets: { password: 'x3' },
    });
    expect(altered.body).toMatchObject({ settings: { host: 'db', user: 'reader', sslmode: 'require' }, version: '2' });
    const shown = [created, altered, await ask('GET', url), await ask('GET', '/api/metalakes/prod/catalogs')];
    expect(JSON.stringify(shown)).not.toMatch(/hunter2|x3|secret|password/);
    expect((await ask('PUT', `${url}/owner`, { owner: 'bob' })).body).toEqual({ owner: 'bob', version: '3' });
    expect((await ask('GET', `${url}/owner`)).body).toEqual({ owner: 'bob', version: '3' });
    expect((await ask('DELETE', `${url}/owner`)).body).toEqual({ version: '4' });
  });

  test.each([
    { settings: { password: 'hunter2' } },
    { properties: { 'jdbc-Password': 'hunter2' } },
    { settings: { apiToken: 't' } },
  ])('a secret in a place that is shown is refused: %o', async (misplaced) => {
    const answer = await ask('POST', '/api/metalakes/prod/catalogs', { name: 'm', provider: 'p', ...misplaced });
    expect(answer).toMatchObject({ status: 422, body: { reason: { code: 'misplaced-secret' } } });
    expect(JSON.stringify(answer)).not.toContain('hunter2');
  });

  test('only an empty one is dropped', async () => {
    const url = await freshCatalog();
    expect(await ask('DELETE', url)).toMatchObject({ status: 409, body: { reason: { code: 'not-empty' } } });
    await ask('DELETE', `${url}/schemas/s`);
    expect(await ask('DELETE', url, undefined, { 'if-match': '"7"' })).toMatchObject({
      status: 409,
      body: { reason: { code: 'version-conflict' } },
    });
    expect(await ask('DELETE', url, undefined, { 'if-match': '"1"' })).toMatchObject({ status: 204, body: undefined });
    expect(await ask('GET', url)).toMatchObject({ status: 404, body: problem('no-such-entity') });
  });
});

describe('names', () => {
  test.each([
    '50%off',
    'a%2Fb',
    'a b',
    'x+y',
    'a.b',
    '名',
    'a/b',
    '"quoted"',
    '?q=1#f',
    '😀',
    '\t',
    'n'.repeat(255),
    '名'.repeat(255),
  ])('B35 %j is read by path and by id as the same table, then renamed and dropped', async (name) => {
    const catalog = await freshCatalog();
    const created = await ask('POST', `${catalog}/schemas/s/tables`, { name });
    expect(created.status).toBe(201);
    const url = `${catalog}/schemas/s/tables/${encodeURIComponent(name)}`;
    expect(created.headers['location']).toBe(url);
    const { id } = created.body as { id: string };
    const byPath = await ask('GET', url);
    expect(byPath.body).toMatchObject({ id, path: ['s', name] });
    expect((await ask('GET', `${catalog}/entities/${id}`)).body).toEqual(byPath.body);
    expect((await ask('POST', `${url}/rename`, { path: ['s', 'plain'] })).status).toBe(200);
    expect((await ask('GET', url)).status).toBe(404);
    expect((await ask('POST', `${catalog}/schemas/s/tables/plain/rename`, { path: ['s', name] })).status).toBe(200);
    expect((await ask('DELETE', url)).body).toEqual({ dropped: 1 });
  });

  test('B35 as catalogs and as schemas, too', async () => {
    for (const name of ['50%off', 'a%2Fb', 'a b', 'x+y', 'a.b', '名']) {
      const catalog = `/api/metalakes/prod/catalogs/${encodeURIComponent(name)}`;
      expect((await ask('POST', '/api/metalakes/prod/catalogs', { name, provider: 'p' })).headers['location']).toBe(
        catalog,
      );
      await ask('POST', `${catalog}/schemas`, { path: [name] });
      await ask('POST', `${catalog}/schemas`, { path: [name, name] });
      const nested = `${catalog}/schemas/${encodeURIComponent(`${name}\u001f${name}`)}`;
      expect(nested).toContain('%1F');
      expect((await ask('GET', nested)).body).toMatchObject({ path: [name, name], kind: 'schema' });
      expect((await ask('DELETE', nested)).body).toEqual({ dropped: 1 });
    }
  });

  test.each<[string, unknown]>([
    ['empty', ''],
    ['too long', 'n'.repeat(256)],
    ['with NUL', 'a\u0000b'],
    ['ill-formed', 'a\ud800b'],
    ['no text', 7],
    ['missing', undefined],
  ])('a name that is %s is refused', async (_name, name) => {
    const catalog = await freshCatalog();
    expect(await ask('POST', `${catalog}/schemas/s/tables`, { name })).toMatchObject({
      status: 400,
      body: { ...problem('invalid-request'), errors: [{ field: 'body.name' }] },
    });
  });

  test('a name that no browser can address is reached by its id', async () => {
    const catalog = await freshCatalog();
    const { body } = await ask('POST', `${catalog}/schemas/s/tables`, { name: '..' });
    const url = `${catalog}/entities/${(body as { id: string }).id}`;
    expect((await ask('GET', url)).body).toMatchObject({ path: ['s', '..'] });
    expect((await ask('DELETE', url)).body).toEqual({ dropped: 1 });
    expect((await ask('DELETE', url)).status).toBe(404);
  });
});

describe('schemas, tables and views', () => {
  test('levels of a schema are joined by %1F in one segment', async () => {
    const catalog = await freshCatalog();
    for (const path of [
      ['s', 'x'],
      ['s', 'x', 'y'],
      ['s', 'z'],
    ]) {
      expect((await ask('POST', `${catalog}/schemas`, { path })).status).toBe(201);
    }
    await ask('POST', `${catalog}/schemas/s%1Fx/views`, { name: 'v' });
    const paths = async (url: string) =>
      ((await ask('GET', url)).body as { entities: { path: string[] }[] }).entities.map(({ path }) => path.join('/'));
    expect(await paths(`${catalog}/schemas`)).toEqual(['s']);
    expect(await paths(`${catalog}/schemas?parent=s`)).toEqual(['s/x', 's/z']);
    expect(await paths(`${catalog}/schemas?parent=s%1Fx`)).toEqual(['s/x/y']);
    expect(await paths(`${catalog}/schemas/s%1Fx/views`)).toEqual(['s/x/v']);
    expect(await paths(`${catalog}/schemas/s%1Fx/tables`)).toEqual([]);
    expect((await ask('GET', `${catalog}/schemas?parent=none`)).status).toBe(404);
    expect((await ask('GET', `${catalog}/schemas/s%1F`)).status).toBe(400);
    expect((await ask('GET', `${catalog}/schemas/s%1Fx/views/v`)).body).toMatchObject({ kind: 'view' });
    expect((await ask('GET', `${catalog}/schemas/s%1Fx/tables/v`)).status).toBe(404);
  });

  test('a container with contents is dropped with cascade only', async () => {
    const catalog = await freshCatalog();
    await ask('POST', `${catalog}/schemas/s/tables`, { name: 't' });
    expect(await ask('DELETE', `${catalog}/schemas/s`)).toMatchObject({
      status: 409,
      body: { ...problem('registry-refused'), reason: { code: 'not-empty' } },
    });
    expect((await ask('DELETE', `${catalog}/schemas/s?cascade=true`)).body).toEqual({ dropped: 2 });
    expect((await ask('GET', `${catalog}/schemas`)).body).toEqual({ entities: [] });
  });

  test('pages hold everything once; a cursor of another list or a made-up one is refused', async () => {
    const catalog = await freshCatalog();
    for (let n = 0; n < 7; n += 1) await ask('POST', `${catalog}/schemas/s/tables`, { name: `t${n}` });
    await ask('POST', `${catalog}/schemas/s/views`, { name: 'v' });
    const seen: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const answer = await ask('GET', `${catalog}/schemas/s/tables?limit=3${query}`);
      const page = answer.body as { entities: { path: string[] }[]; next?: string };
      seen.push(...page.entities.map(({ path }) => path.join('/')));
      cursor = page.next;
    }
    expect(seen).toEqual(['s/t0', 's/t1', 's/t2', 's/t3', 's/t4', 's/t5', 's/t6']);
    for (const cursor of ['x', 'c2Ev', '%00', Buffer.from('s%').toString('base64url')]) {
      expect(await ask('GET', `${catalog}/schemas/s/tables?cursor=${cursor}`)).toMatchObject({
        status: 404,
        body: problem('invalid-cursor'),
      });
    }
    for (const limit of ['0', '1001', 'x', '-1', '1.5']) {
      expect((await ask('GET', `${catalog}/schemas/s/tables?limit=${limit}`)).status).toBe(400);
    }
  });

  test('a changed entity is refused to whoever has seen another version', async () => {
    const catalog = await freshCatalog();
    const created = await ask('POST', `${catalog}/schemas/s/tables`, { name: 't', storageLocation: 's3://b/t' });
    expect(created).toMatchObject({ headers: { etag: '"1"' }, body: { storageLocation: 's3://b/t', managed: false } });
    const url = `${catalog}/schemas/s/tables/t`;
    const seen = { 'if-match': '"1"' };
    expect((await ask('PATCH', url, { comment: 'first' }, seen)).headers['etag']).toBe('"2"');
    for (const [method, path, body] of [
      ['PATCH', '', { comment: 'second' }],
      ['POST', '/rename', { path: ['s', 'u'] }],
      ['PUT', '/tags', { tags: ['x'] }],
      ['DELETE', '/tags', undefined],
      ['DELETE', '', undefined],
    ] as const) {
      expect(await ask(method, url + path, body, seen)).toMatchObject({
        status: 409,
        body: { reason: { code: 'version-conflict' } },
      });
    }
    expect((await ask('DELETE', url, undefined, { 'if-match': 'W/"1"' })).status).toBe(400);
    expect((await ask('DELETE', url, undefined, { 'if-match': '*' })).body).toEqual({ dropped: 1 });
  });

  test('properties change by key; the same again changes nothing', async () => {
    const catalog = await freshCatalog();
    const url = `${catalog}/schemas/s`;
    await ask('PATCH', url, { properties: { a: '1', b: '2' }, comment: 'c' });
    expect((await ask('PATCH', url, { properties: { a: null, c: '3' }, comment: null })).body).toMatchObject({
      properties: { b: '2', c: '3' },
      version: '3',
    });
    expect((await ask('PATCH', url, { properties: { b: '2' } })).body).toMatchObject({ version: '3' });
  });

  test('secrets are taken and never given', async () => {
    const catalog = await freshCatalog();
    const url = `${catalog}/schemas/s/tables/t`;
    const answers = [
      await ask('POST', `${catalog}/schemas/s/tables`, { name: 't', secrets: { key: 'hunter2' } }),
      await ask('PATCH', url, { secrets: { key: 'hunter3' } }),
      await ask('GET', url),
      await ask('GET', `${catalog}/schemas/s/tables`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 200]);
    expect(JSON.stringify(answers)).not.toMatch(/hunter|secret/);
  });

  test('two of one name are refused, a table and a view included', async () => {
    const catalog = await freshCatalog();
    await ask('POST', `${catalog}/schemas/s/tables`, { name: 't' });
    for (const kind of ['tables', 'views']) {
      expect(await ask('POST', `${catalog}/schemas/s/${kind}`, { name: 't' })).toMatchObject({
        status: 409,
        body: { reason: { code: 'already-exists' } },
      });
    }
    expect((await ask('POST', `${catalog}/schemas/none/tables`, { name: 't' })).status).toBe(404);
  });
});

describe('attachments', () => {
  test.each(['', '/tables/t', '/views/v'])(
    'of s%s are put, read and taken away; each change raises the version',
    async (rest) => {
      const catalog = await freshCatalog();
      await ask('POST', `${catalog}/schemas/s/tables`, { name: 't' });
      await ask('POST', `${catalog}/schemas/s/views`, { name: 'v' });
      const url = `${catalog}/schemas/s${rest}`;
      const grants = [{ principal: 'bob', privilege: 'select' }];
      expect((await ask('GET', `${url}/owner`)).body).toEqual({ owner: 'ann', version: '1' });
      expect((await ask('PUT', `${url}/owner`, { owner: 'bob' })).body).toEqual({ owner: 'bob', version: '2' });
      expect((await ask('PUT', `${url}/tags`, { tags: ['pii', 'gold', 'pii'] })).body).toEqual({
        tags: ['gold', 'pii'],
        version: '3',
      });
      expect((await ask('PUT', `${url}/policies`, { policies: ['mask'] })).body).toEqual({
        policies: ['mask'],
        version: '4',
      });
      expect((await ask('PUT', `${url}/grants`, { grants })).body).toEqual({ grants, version: '5' });
      expect((await ask('GET', url)).body).toMatchObject({
        owner: 'bob',
        tags: ['gold', 'pii'],
        policies: ['mask'],
        grants,
      });
      expect((await ask('PUT', `${url}/tags`, { tags: ['gold', 'pii'] })).body).toMatchObject({ version: '5' });
      expect((await ask('DELETE', `${url}/owner`)).body).toEqual({ version: '6' });
      expect((await ask('DELETE', `${url}/tags`)).body).toEqual({ tags: [], version: '7' });
      expect((await ask('DELETE', `${url}/policies`)).body).toEqual({ policies: [], version: '8' });
      expect((await ask('DELETE', `${url}/grants`)).body).toEqual({ grants: [], version: '9' });
      expect((await ask('GET', `${url}/grants`)).body).toEqual({ grants: [], version: '9' });
    },
  );
});

describe('bad input', () => {
  const cases: readonly (readonly ['POST' | 'PUT' | 'PATCH', string, unknown, string])[] = [
    ['POST', '/schemas', { path: ['a'], colour: 'red' }, 'body.colour'],
    ['POST', '/schemas', { path: [] }, 'body.path[0]'],
    ['POST', '/schemas', { path: Array.from({ length: 33 }, () => 'a') }, 'body.path'],
    ['POST', '/schemas', { path: 'a/b' }, 'body.path'],
    ['POST', '/schemas', undefined, 'body'],
    ['POST', '/schemas', [], 'body'],
    ['POST', '/schemas/s/tables', { name: 't', properties: { n: 1 } }, 'body.properties.n'],
    ['POST', '/schemas/s/tables', { name: 't', tags: [''] }, 'body.tags[0]'],
    ['POST', '/schemas/s/tables', { name: 't', grants: [{ principal: 'a' }] }, 'body.grants[0].privilege'],
    ['POST', '/schemas/s/tables', { name: 't', comment: 'NUL \u0000' }, 'body.comment'],
    ['PATCH', '/schemas/s', { owner: 'bob' }, 'body.owner'],
    ['PUT', '/schemas/s/owner', { owner: null }, 'body.owner'],
    ['PUT', '/schemas/s/tags', { tags: 'pii' }, 'body.tags'],
    ['POST', '/schemas/s/rename', { name: 't' }, 'body.path'],
    ['PATCH', '', { caseRule: 'upper' }, 'body.caseRule'],
  ];
  test.each(cases)('%s %s %j names %s', async (method, path, body, field) => {
    const catalog = await freshCatalog();
    const answer = await ask(method, `${catalog}${path}`, body);
    expect(answer).toMatchObject({ status: 400, body: problem('invalid-request') });
    expect((answer.body as { errors: { field: string }[] }).errors.map((error) => error.field)).toContain(field);
  });

  test('unknown members of a query are refused', async () => {
    const catalog = await freshCatalog();
    expect((await ask('DELETE', `${catalog}/schemas/s?force=true`)).status).toBe(400);
    expect((await ask('DELETE', `${catalog}/schemas/s?cascade=yes`)).status).toBe(400);
    expect((await ask('GET', `${catalog}/schemas?offset=3`)).status).toBe(400);
  });

  test('a level that holds the separator cannot be made', async () => {
    const catalog = await freshCatalog();
    expect(await ask('POST', `${catalog}/schemas`, { path: ['a\u001fb'] })).toMatchObject({
      status: 422,
      body: { ...problem('not-for-this-registry'), reason: { code: 'invalid-name' } },
    });
  });
});

test('who asks is who is shown as the owner', async () => {
  const catalog = await freshCatalog();
  const { body } = await ask('POST', `${catalog}/schemas`, { path: ['mine'] }, { 'x-actor': 'grace' });
  expect(body).toMatchObject({ owner: 'grace' });
});

test('every route is described', async () => {
  const { body } = await ask('GET', '/api/openapi.json');
  const { paths } = body as { paths: Record<string, Record<string, unknown>> };
  const ours = Object.keys(paths).filter((path) => /\/(schemas|entities)\b|metalakes(\/\{metalake\})?$/.test(path));
  expect(ours).toContain('/api/metalakes/{metalake}/catalogs/{catalog}/schemas/{schema}/tables/{name}/grants');
  expect(ours).toHaveLength(24);
});
