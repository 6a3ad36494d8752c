import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openMemoryServer } from '../support/delta/memory-server.ts';

type Server = Awaited<ReturnType<typeof openMemoryServer>>;

const json = { 'content-type': 'application/json' };

async function ask(server: Server, method: string, path: string, init: RequestInit = {}) {
  const response = await fetch(server.baseUrl + path, { method, ...init });
  const text = await response.text();
  return { response, text, body: text === '' ? undefined : JSON.parse(text) };
}

function envelope(code: number, type: string) {
  return { error: { message: expect.any(String), type, code, stack: null } };
}

describe('every failure below the base has the envelope', () => {
  let server: Server;
  beforeAll(async () => {
    server = await openMemoryServer('file:///managed', { principals: false });
  });
  afterAll(() => server?.close());

  test.each<[string, string, string, number, string]>([
    ['a path that nobody serves', 'GET', '/delta/v1/moon', 404, 'NotFoundException'],
    ['the base itself', 'GET', '/delta/v1', 404, 'NotFoundException'],
    ['a method that a path does not know', 'PUT', '/delta/v1/config', 405, 'NotFoundException'],
    [
      'an escape that is none',
      'GET',
      '/delta/v1/catalogs/%zz/schemas/s/tables/t',
      400,
      'InvalidParameterValueException',
    ],
    [
      'U+0000 in a name',
      'GET',
      '/delta/v1/catalogs/unity/schemas/s%00/tables/t',
      400,
      'InvalidParameterValueException',
    ],
    [
      'a parameter that is given twice',
      'GET',
      '/delta/v1/config?catalog=a&catalog=b',
      400,
      'InvalidParameterValueException',
    ],
    [
      'the list that is published and not served',
      'GET',
      '/delta/v1/catalogs/c/schemas/s/tables',
      501,
      'NotImplementedException',
    ],
    [
      'a catalog that is not there',
      'GET',
      '/delta/v1/catalogs/a%2Fb/schemas/s/tables/t',
      404,
      'NoSuchCatalogException',
    ],
  ])('%s', async (_name, method, path, status, type) => {
    const { response, body } = await ask(server, method, path);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(body).toEqual(envelope(status, type));
  });

  test.each<[string, Record<string, string>, string | Uint8Array<ArrayBuffer>]>([
    ['another type', { 'content-type': 'text/plain' }, '{"name":"t"}'],
    ['a type that is none', { 'content-type': 'nonsense' }, '{"name":"t"}'],
    ['a key twice', json, '{"name":"t","name":"u"}'],
    ['bytes that are no UTF-8', json, new Uint8Array([0x7b, 0xff, 0x7d])],
    ['half of a pair', json, '{"name":"\\ud800"}'],
    ['thousands of levels', json, `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ['a number for a text', json, '{"name":1}'],
    ['a key that objects have by birth', json, '{"name":"t","__proto__":{}}'],
  ])('a body with %s', async (_name, headers, body) => {
    const { schema } = await server.openSchema();
    const answer = await ask(server, 'POST', `/delta/v1/catalogs/unity/schemas/${schema}/staging-tables`, {
      headers,
      body,
    });
    expect(answer.body).toEqual(envelope(400, 'InvalidParameterValueException'));
  });

  test('HEAD says it by the status alone', async () => {
    const { response, text } = await ask(server, 'HEAD', '/delta/v1/catalogs/nowhere/schemas/s/tables/t');
    expect([response.status, text]).toEqual([404, '']);
  });

  test('names are split first and decoded after it', async () => {
    server.backend.store.addSchema({ catalog: 'a/b 100%', schema: 'ü' }, 'file:///managed/odd');
    const path = `/delta/v1/catalogs/${encodeURIComponent('a/b 100%')}/schemas/${encodeURIComponent('ü')}/staging-tables`;
    const { response } = await ask(server, 'POST', path, { headers: json, body: '{"name":"t"}' });
    expect(response.status).toBe(200);
  });

  test('integers keep all their digits on the way in and out, and none is made of another number', async () => {
    const { schema } = await server.openSchema();
    const create = (name: string, timestamp: string) =>
      ask(server, 'POST', `/delta/v1/catalogs/unity/schemas/${schema}/tables`, {
        headers: json,
        body: `{"name":"${name}","location":"file:///data/${name}","table-type":"EXTERNAL","protocol":{"min-reader-version":1,"min-writer-version":2},
          "columns":{"type":"struct","fields":[{"name":"a","type":"long","nullable":true,"metadata":{"big":9007199254740993,"odd":1.50,"exp":1E2}}]},
          "last-commit-timestamp-ms":${timestamp}}`,
      });
    const { text, response } = await create('big', '9007199254740993');
    expect(response.status).toBe(200);
    expect(text).toContain('"last-commit-timestamp-ms":9007199254740993');
    expect(text).toContain('"metadata":{"big":9007199254740993,"odd":1.50,"exp":1E2}');
    for (const [index, wrong] of ['1.0', '1e3', '"15"', '9223372036854775808', 'true'].entries()) {
      expect((await create(`t${index}`, wrong)).body).toEqual(envelope(400, 'InvalidParameterValueException'));
    }
  });
});

describe('with credentials', () => {
  let server: Server;
  beforeAll(async () => {
    server = await openMemoryServer('file:///managed', { principals: true });
  });
  afterAll(() => server?.close());

  test.each([
    ['none', {}],
    ['an unknown one', { authorization: 'Bearer nobody-0123456789' }],
  ])('%s is 401 in the envelope, before anything is looked at', async (_name, headers) => {
    const { response, body } = await ask(server, 'GET', '/delta/v1/config', { headers });
    expect(body).toEqual(envelope(401, 'NotAuthorizedException'));
    expect(response.headers.get('www-authenticate')).toContain('Bearer');
    const head = await ask(server, 'HEAD', '/delta/v1/catalogs/c/schemas/s/tables/t', { headers });
    expect([head.response.status, head.text]).toEqual([401, '']);
  });

  test('what is missing is told before the faults of a body', async () => {
    const { response, body } = await ask(server, 'POST', '/delta/v1/catalogs/unity/schemas/nowhere/tables/t', {
      headers: { ...json, ...server.headersOf('alice') },
      body: '{"updates":',
    });
    expect(response.status).toBe(404);
    expect(body.error.type).toMatch(/^NoSuch/);
  });
});
