import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openEmbeddedServer } from '../../support/delta/embedded-server.ts';

type Server = Awaited<ReturnType<typeof openEmbeddedServer>>;
let server: Server;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalog-reconciler-'));
  server = await openEmbeddedServer(pathToFileURL(folder).href, { principals: false });
});
afterAll(async () => {
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly text: string;
}

async function ask(method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await fetch(server.baseUrl + path, {
    method,
    ...(body === undefined
      ? {}
      : {
          headers: { 'content-type': 'application/json' },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        }),
  });
  const text = await answer.text();
  return { status: answer.status, text, body: text.startsWith('{') ? (JSON.parse(text) as Answer['body']) : {} };
}

async function refused(code: string, status: number, ...asked: Parameters<typeof ask>): Promise<void> {
  const answer = await ask(...asked);
  expect(answer).toMatchObject({ status, body: { error_code: code, message: expect.any(String) } });
  expect(answer.body['details']).toMatchObject([{ reason: code }]);
}

const table = (over: object = {}) => ({
  name: 't',
  catalog_name: 'main',
  schema_name: 's',
  table_type: 'EXTERNAL',
  data_source_format: 'PARQUET',
  storage_location: 's3://elsewhere/t/',
  columns: [
    {
      name: 'p',
      type_text: 'int',
      type_name: 'INT',
      type_json: '{}',
      position: 1,
      nullable: false,
      partition_index: 0,
    },
    { name: 'id', type_text: 'decimal(10,2)', type_name: 'DECIMAL', type_json: '{}', position: 0, comment: 'hers' },
  ],
  unheard_of: true,
  ...over,
});

describe('catalogs', () => {
  test('are created, shown, altered and deleted', async () => {
    const { status, body } = await ask('POST', '/catalogs', { name: 'main', comment: 'c', storage_root: '/srv/main/' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ name: 'main', comment: 'c', storage_root: 'file:///srv/main', updated_by: null });
    expect((await ask('GET', '/catalogs/main')).body).toEqual(body);
    const changed = await ask('PATCH', '/catalogs/main', { comment: 'd', properties: { a: '1' } });
    expect(changed.body).toMatchObject({ comment: 'd', properties: { a: '1' }, id: body['id'] });
    await ask('POST', '/catalogs', { name: 'passing' });
    expect(await ask('DELETE', '/catalogs/passing')).toMatchObject({ status: 200, text: '200 OK' });
    await refused('CATALOG_NOT_FOUND', 404, 'GET', '/catalogs/passing');
  });

  test('are those of the embedded registry, seen in its other dialect', async () => {
    await server.bench.desk.createCatalog({ name: 'shop', provider: 'postgresql' }, 'ann');
    expect((await ask('GET', '/catalogs/shop')).body).toMatchObject({ name: 'shop', owner: 'ann' });
    expect(await server.bench.desk.catalog('main')).toMatchObject({ provider: 'delta', comment: 'd' });
  });
});

describe('schemas', () => {
  test('are created, shown, altered, renamed and deleted', async () => {
    const { body } = await ask('POST', '/schemas', { name: 's', catalog_name: 'main', properties: { k: 'v' } });
    expect(body).toMatchObject({ full_name: 'main.s', catalog_name: 'main', properties: { k: 'v' } });
    expect((await ask('PATCH', '/schemas/main.s', { comment: 'x' })).body).toMatchObject({ comment: 'x' });
    await ask('POST', '/schemas', { name: 'old', catalog_name: 'main' });
    expect((await ask('PATCH', '/schemas/main.old', { new_name: 'new' })).body).toMatchObject({
      full_name: 'main.new',
    });
    await refused('SCHEMA_ALREADY_EXISTS', 400, 'PATCH', '/schemas/main.new', { new_name: 's' });
    expect(await ask('DELETE', '/schemas/main.new')).toMatchObject({ status: 200, text: '200 OK' });
    await refused('SCHEMA_NOT_FOUND', 404, 'DELETE', '/schemas/main.new');
  });
});

describe('tables', () => {
  test('of any format are registered where they lie', async () => {
    const { status, body } = await ask('POST', '/tables', table());
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: 't',
      table_type: 'EXTERNAL',
      data_source_format: 'PARQUET',
      storage_location: 's3://elsewhere/t',
      columns: [
        { name: 'id', position: 0, nullable: true, type_precision: 10, type_scale: 2, comment: 'hers' },
        { name: 'p', position: 1, nullable: false, partition_index: 0, type_precision: null },
      ],
    });
    expect((await ask('GET', '/tables/main.s.t')).body).toEqual(body);
    expect(await server.bench.desk.entity('main', { by: 'id', id: String(body['table_id']) })).toMatchObject({
      path: ['s', 't'],
      managed: false,
    });
  });

  test('are altered, renamed and deleted', async () => {
    await ask('POST', '/tables', table({ name: 'u', storage_location: 's3://elsewhere/u' }));
    const { body } = await ask('PATCH', '/tables/main.s.u', { comment: 'c', new_name: 'v', owner: 'bob' });
    expect(body).toMatchObject({ name: 'v', comment: 'c', owner: 'bob' });
    expect(await ask('DELETE', '/tables/main.s.v')).toMatchObject({ status: 200, text: '200 OK' });
    await refused('TABLE_NOT_FOUND', 404, 'DELETE', '/tables/main.s.v');
  });

  test('keep their schema and catalog, unless that is forced', async () => {
    await refused('FAILED_PRECONDITION', 400, 'DELETE', '/schemas/main.s');
    await refused('FAILED_PRECONDITION', 400, 'DELETE', '/catalogs/main');
    await ask('POST', '/catalogs', { name: 'going' });
    await ask('POST', '/schemas', { name: 's', catalog_name: 'going' });
    await ask('POST', '/tables', table({ catalog_name: 'going', storage_location: 's3://elsewhere/going' }));
    expect(await ask('DELETE', '/catalogs/going?force=true')).toMatchObject({ status: 200 });
    await refused('CATALOG_NOT_FOUND', 404, 'GET', '/tables/going.s.t');
  });
});

describe('lists', () => {
  test('go on behind a name, and only the next page tells that there is nothing more', async () => {
    await ask('POST', '/schemas', { name: 'many', catalog_name: 'main' });
    for (const name of ['d', 'a', 'c', 'b']) {
      await ask('POST', '/tables', table({ name, schema_name: 'many', storage_location: `s3://many/${name}` }));
    }
    const page = async (query: string) => {
      const { body } = await ask('GET', `/tables?catalog_name=main&schema_name=many${query}`);
      const tables = body['tables'] as readonly { readonly name: string }[];
      return [tables.map(({ name }) => name), body['next_page_token']];
    };
    expect(await page('&max_results=2')).toEqual([['a', 'b'], 'b']);
    expect(await page('&max_results=2&page_token=b')).toEqual([['c', 'd'], 'd']);
    expect(await page('&max_results=2&page_token=d')).toEqual([[], null]);
    await ask('DELETE', '/tables/main.many.b');
    expect(await page('&page_token=b')).toEqual([['c', 'd'], null]);
    expect(await page('&page_token=%2Fany%20text')).toEqual([['a', 'c', 'd'], null]);
    expect(await page('&max_results=0')).toEqual([['a', 'c', 'd'], null]);
    const { body } = await ask('GET', '/schemas?catalog_name=main&max_results=1');
    expect(body).toMatchObject({ schemas: [{ name: 'many' }], next_page_token: 'many' });
    expect((await ask('GET', '/catalogs?max_results=1')).body).toMatchObject({ next_page_token: 'main' });
  });

  test.each(['-1', 'ten', '1.5', '99999999999'])('refuse a page of %s', async (size) => {
    await refused('INVALID_ARGUMENT', 400, 'GET', `/catalogs?max_results=${size}`);
  });
});

describe('temporary credentials', () => {
  test('of a table and of a path', async () => {
    const { body } = await ask('POST', '/tables', table({ name: 's3', storage_location: 's3://test-bucket0/x' }));
    const ofTable = { table_id: body['table_id'], operation: 'READ' };
    const found = await ask('POST', '/temporary-table-credentials', ofTable);
    expect(found).toMatchObject({ status: 200, body: { url: 's3://test-bucket0/x', gcp_oauth_token: null } });
    expect(found.body['aws_temp_credentials']).toMatchObject({ access_key_id: 'accessKey0' });
    expect(found.body['expiration_time']).toEqual(expect.any(Number));
    const ofPath = { url: 's3://test-bucket0/y/', operation: 'PATH_READ_WRITE' };
    expect((await ask('POST', '/temporary-path-credentials', ofPath)).body).toMatchObject({
      url: 's3://test-bucket0/y',
    });
    const local = { url: '/tmp/z', operation: 'PATH_READ' };
    expect((await ask('POST', '/temporary-path-credentials', local)).body).toMatchObject({
      aws_temp_credentials: null,
    });
  });

  test.each([
    ['TABLE_NOT_FOUND', 404, 'table', { table_id: '00000000-0000-0000-0000-000000000001', operation: 'READ' }],
    ['INVALID_ARGUMENT', 400, 'table', { table_id: 'nope', operation: 'READ' }],
    ['INVALID_ARGUMENT', 400, 'table', { table_id: 'nope', operation: 'WRITE' }],
    ['FAILED_PRECONDITION', 400, 'path', { url: 's3://unknown/x', operation: 'PATH_READ' }],
    ['INVALID_ARGUMENT', 400, 'path', { url: 'ftp://x', operation: 'PATH_READ' }],
  ] as const)('%s (%i) for a %s', async (code, status, of, body) => {
    await refused(code, status, 'POST', `/temporary-${of}-credentials`, body);
  });
});

describe('bad input is told in the envelope of the API', () => {
  test.each([
    ['INVALID_ARGUMENT', 400, 'POST', '/catalogs', {}],
    ['INVALID_ARGUMENT', 400, 'POST', '/catalogs', []],
    ['INVALID_ARGUMENT', 400, 'POST', '/catalogs', '{"name": '],
    ['INVALID_ARGUMENT', 400, 'POST', '/catalogs', { name: '' }],
    ['INVALID_ARGUMENT', 400, 'POST', '/catalogs', { name: '\u0000' }],
    ['INVALID_ARGUMENT', 400, 'POST', '/catalogs', { name: 'x', properties: { a: 1 } }],
    ['INVALID_ARGUMENT', 400, 'POST', '/catalogs', { name: 'x', storage_root: 's3a://b/c' }],
    ['CATALOG_ALREADY_EXISTS', 400, 'POST', '/catalogs', { name: 'main' }],
    ['CATALOG_NOT_FOUND', 404, 'POST', '/schemas', { name: 's', catalog_name: 'none' }],
    ['SCHEMA_ALREADY_EXISTS', 400, 'POST', '/schemas', { name: 's', catalog_name: 'main' }],
    ['UNIMPLEMENTED', 501, 'PATCH', '/catalogs/main', { new_name: 'other' }],
    ['TABLE_ALREADY_EXISTS', 400, 'POST', '/tables', table({ storage_location: 's3://elsewhere/again' })],
    ['SCHEMA_NOT_FOUND', 404, 'POST', '/tables', table({ schema_name: 'none' })],
    ['INVALID_ARGUMENT', 400, 'POST', '/tables', table({ name: 'w', storage_location: undefined })],
    ['INVALID_ARGUMENT', 400, 'POST', '/tables', table({ name: 'w', storage_location: 's3://bucket' })],
    ['INVALID_ARGUMENT', 400, 'POST', '/tables', table({ name: 'w', storage_location: 's3://elsewhere' })],
    ['INVALID_ARGUMENT', 400, 'POST', '/tables', table({ name: 'w', storage_location: 's3://elsewhere/t/x' })],
    ['INVALID_ARGUMENT', 400, 'POST', '/tables', table({ name: 'w', table_type: 'MANAGED' })],
    ['INVALID_ARGUMENT', 400, 'GET', '/tables/main.s', undefined],
    ['INVALID_ARGUMENT', 400, 'GET', '/tables/a.b.c.d', undefined],
    ['INVALID_ARGUMENT', 400, 'GET', '/tables?catalog_name=main', undefined],
    ['SCHEMA_NOT_FOUND', 404, 'GET', '/tables?catalog_name=main&schema_name=none', undefined],
    ['NOT_FOUND', 404, 'GET', '/volumes', undefined],
  ] as const)('%s (%i) for %s %s', async (code, status, method, path, body) => {
    await refused(code, status, method, path, body);
  });

  test('a method that an address does not know is 405', async () => {
    expect(await ask('PUT', '/catalogs/main', {})).toMatchObject({
      status: 405,
      body: { error_code: expect.any(String) },
    });
  });
});
