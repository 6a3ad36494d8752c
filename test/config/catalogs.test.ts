import { describe, expect, test } from 'vitest';
import { loading, problemsOf } from './loading.ts';

const whole = 'connection: {host: h, database: d, user: u}';
const shop = (body: string) => `metalakes: {lake: {catalogs: {shop: {provider: postgresql, ${body}}}}}`;
const names = (text: string) => loading(text).catalogs.map(({ metalake, catalog }) => [metalake, catalog]);

describe('a Delta catalog', () => {
  const lake = (body: string) => `metalakes: {lake: {catalogs: {files: {provider: delta, ${body}}}}}`;
  const inBucket = 'connection: {root: "s3://b/tables", accessKeyId: k, pathStyle: true, endpoint: "http://h:1"}';

  test('lies in a folder or a bucket, and its schemas are not asked about', () => {
    const [folder] = loading(lake('connection: {root: /srv/lake}')).catalogs;
    expect(folder).toMatchObject({ settings: { root: '/srv/lake' }, secrets: {}, managedKinds: ['schema'] });
    const text = lake(`${inBucket}, secretAccessKey: {env: SECRET}, sessionToken: {env: TOKEN}, managedKinds: []`);
    const [bucket] = loading(text, { SECRET: 'hidden', TOKEN: 'brief' }).catalogs;
    expect(bucket?.settings).toEqual({
      root: 's3://b/tables',
      accessKeyId: 'k',
      pathStyle: 'true',
      endpoint: 'http://h:1',
    });
    const { secretAccessKey, sessionToken } = bucket?.secrets ?? {};
    expect([secretAccessKey?.reveal(), sessionToken?.reveal()]).toEqual(['hidden', 'brief']);
    expect(bucket?.managedKinds).toEqual([]);
    expect(JSON.stringify(bucket)).not.toContain('hidden');
  });

  test.each([
    ['nothing', 'owner: me', 'connection', /lacks root/],
    ['a path that is not full', 'connection: {root: lake}', 'connection.root', /full path/],
    ['another store', 'connection: {root: "gs://b"}', 'connection.root', /s3:\/\/bucket/],
    ['a folder with a region', 'connection: {root: /lake, region: r}', 'connection.region', /of no use/],
    ['a folder with a key', 'connection: {root: /lake}, secretAccessKey: {env: HOME}', 'secretAccessKey', /of no use/],
    ['a bucket without a key', 'connection: {root: "s3://b"}', 'connection', /lacks a key/],
    ['a database', 'connection: {root: /lake, host: h}', 'connection.host', /of no use/],
    ['a password', 'connection: {root: /lake}, password: {env: HOME}', 'password', /of no use/],
  ])('%s is refused', (_name, body, key, text) => {
    const [problem] = problemsOf(lake(body), { HOME: 'here' });
    expect(problem?.key).toBe(`metalakes.lake.catalogs.files.${key}`);
    expect(problem?.text).toMatch(text);
  });

  test('what belongs to Delta is of no use for PostgreSQL', () => {
    const [problem] = problemsOf(shop('connection: {host: h, database: d, user: u, root: /lake}'));
    expect(problem?.text).toMatch(/of no use for PostgreSQL/);
  });
});

describe('a connection', () => {
  test.each([
    ['in parts', whole, { host: 'h', port: '5432', database: 'd', user: 'u' }],
    [
      'in parts, with all',
      'connection: {host: h, port: 1, database: d, user: u, sslmode: require}',
      {
        host: 'h',
        port: '1',
        database: 'd',
        user: 'u',
        sslmode: 'require',
      },
    ],
    [
      'as an address',
      'connection: {url: "postgresql://u@h:1/d?sslmode=disable"}',
      {
        host: 'h',
        port: '1',
        database: 'd',
        user: 'u',
        sslmode: 'disable',
      },
    ],
    [
      'with escapes',
      'connection: {url: "postgres://a%40b@[::1]/my%2Fdb"}',
      {
        host: '::1',
        port: '5432',
        database: 'my/db',
        user: 'a@b',
      },
    ],
  ])('%s comes to the same', (_name, body, settings) => {
    expect(loading(shop(body)).catalogs[0]?.settings).toEqual(settings);
  });

  test('gets its password from where secrets are kept', () => {
    const readFile = (path: string) =>
      path === '/run/pw' ? 'from file\n' : shop(`${whole}, password: {file: /run/pw}`);
    expect(loading('', {}, { readFile }).catalogs[0]?.secrets['password']?.reveal()).toBe('from file');
    const url = shop('connection: {url: {env: SHOP_URL}}');
    const [catalog] = loading(url, { SHOP_URL: 'postgres://u:p%20w@h/d' }).catalogs;
    expect(catalog?.secrets['password']?.reveal()).toBe('p w');
    expect(catalog?.settings).not.toHaveProperty('password');
  });

  test.each([
    ['nothing', 'owner: me', 'connection', /lacks host, database, user/],
    ['half of it', 'connection: {host: h}', 'connection', /lacks database, user\. Write url, or host/],
    ['half an address', 'connection: {url: "postgres://h/"}', 'connection.url', /lacks database, user/],
    ['both', 'connection: {url: "postgres://u@h/d", host: x}', 'connection.url', /cannot stand beside host/],
    ['another protocol', 'connection: {url: "mysql://u@h/d"}', 'connection.url', /is no address of the form/],
    ['a parameter', 'connection: {url: "postgres://u@h/d?options=x"}', 'connection.url', /parameter options/],
    ['a bad escape', 'connection: {url: "postgres://u%@h/d"}', 'connection.url', /percent sign is written %25/],
    ['a password in it', 'connection: {url: "postgres://u:hunter2@h/d"}', 'connection.url', /has a password in it/],
    ['a password in plain text', `${whole}, password: hunter2`, 'password', /where the secret is kept/],
    ['an unset variable', `${whole}, password: {env: NOPE}`, 'password', /variable NOPE, which is not set/],
    [
      'a bad password, said once',
      'connection: {host: 7, database: d, user: u}',
      'connection.host',
      /7 is not accepted/,
    ],
  ])('is refused: %s', (_name, body, key, text) => {
    const problems = problemsOf(shop(body));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({
      key: `metalakes.lake.catalogs.shop.${key}`,
      text: expect.stringMatching(text),
      where: 'conf.yaml:1',
    });
    expect(JSON.stringify(problems)).not.toContain('hunter2');
  });

  test('has a provider', () => {
    const [problem] = problemsOf(`metalakes: {lake: {catalogs: {shop: {${whole}}}}}`);
    expect(problem).toMatchObject({
      key: 'metalakes.lake.catalogs.shop.provider',
      text: expect.stringContaining('missing'),
    });
  });
});

describe('a name', () => {
  const catalog = `{provider: postgresql, ${whole}}`;

  test('B32 may hold dots, blanks, slashes and what YAML takes for numbers', () => {
    const text = `metalakes:\n  a.b:\n    catalogs:\n      "Looker- 2.0 Test": ${catalog}\n      x/y%: ${catalog}\n      1e3: ${catalog}\n      007: ${catalog}\n      no: ${catalog}`;
    expect(names(text)).toEqual([
      ['a.b', 'Looker- 2.0 Test'],
      ['a.b', 'x/y%'],
      ['a.b', '1e3'],
      ['a.b', '007'],
      ['a.b', 'no'],
    ]);
  });

  test('may be one that objects in JavaScript have already', () => {
    const text = `metalakes: {constructor: {catalogs: {__proto__: ${catalog}, toString: ${catalog}}}}`;
    expect(names(text)).toEqual([
      ['constructor', '__proto__'],
      ['constructor', 'toString'],
    ]);
  });

  test.each([
    ['empty', '""', /empty/],
    ['with a line break', '"a\\nb"', /control character/],
    ['half a character', '"\\ud800"', /Unicode/],
    ['a folder in addresses', '..', /address/],
    ['too long', 'a'.repeat(121), /longer than 120/],
    ['too long once escaped', '語'.repeat(110), /too long for an id/],
  ])('is refused: %s', (_name, name, text) => {
    const [problem, ...others] = problemsOf(`metalakes:\n  lake:\n    catalogs:\n      ${name}: ${catalog}`);
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ where: 'conf.yaml:4', text: expect.stringMatching(text) });
  });

  test('is refused beside one that reads the same', () => {
    const text = `metalakes: {lake: {catalogs: {"caf\u00e9": ${catalog}, "cafe\u0301": ${catalog}}}}`;
    expect(problemsOf(text)).toMatchObject([{ text: expect.stringContaining('reads like another name') }]);
  });
});
