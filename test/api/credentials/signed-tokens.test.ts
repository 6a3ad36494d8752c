import { Buffer } from 'node:buffer';
import { createHmac, createPublicKey } from 'node:crypto';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { signedTokens } from '../../../src/api/credentials/signed-tokens.ts';
import type { JwtConfig } from '../../../src/config/config.ts';
import { audience, issuer, issuerOf, keyServer, signed, signingKey } from './issuer.ts';

type Key = Awaited<ReturnType<typeof signingKey>>;

let key: Key;
let other: Key;
beforeAll(async () => {
  key = await signingKey('first');
  other = await signingKey('second');
});

const withSet = (over: Partial<JwtConfig> = {}) => signedTokens(issuerOf({ set: [{ ...key.published }] }, over));

describe('a signed token', () => {
  test('is of whom its claim names, with our roles among the others', async () => {
    const token = await signed(key, { roles: ['approver', 'admin', 'viewer'] });
    expect(await withSet()(token)).toEqual({ principal: { name: 'ada', roles: ['viewer', 'approver'] } });
  });

  test.each<[string, unknown, readonly string[]]>([
    ['a list', ['operator'], ['operator']],
    ['words', 'openid approver', ['approver']],
    ['nothing', undefined, []],
    ['an object', { operator: true }, []],
    ['another case', ['Operator'], []],
    ['a part of a word', 'operators', []],
  ])('has roles from a claim that is %s', async (_what, claim, roles) => {
    expect(await withSet()(await signed(key, { roles: claim }))).toMatchObject({ principal: { roles } });
  });

  test('may name both in other claims', async () => {
    const token = await signed(key, { email: 'ada@example.com', groups: ['operator'] });
    const authenticate = withSet({ principalClaim: 'email', rolesClaim: 'groups' });
    expect(await authenticate(token)).toEqual({ principal: { name: 'ada@example.com', roles: ['operator'] } });
  });

  test.each<[string, string, Record<string, unknown>, readonly string[]]>([
    ['inside another', 'realm_access.roles', { realm_access: { roles: ['viewer'] } }, ['viewer']],
    ['two levels down', 'a.b.c', { a: { b: { c: 'approver' } } }, ['approver']],
    ['of a name with dots', 'https://a.example/roles', { 'https://a.example/roles': ['operator'] }, ['operator']],
    ['of that very name before one inside', 'a.b', { 'a.b': ['viewer'], a: { b: ['operator'] } }, ['viewer']],
    ['not where it should be', 'realm_access.roles', { realm_access: ['operator'] }, []],
    ['on nothing', 'realm_access.roles', {}, []],
    ['inherited, not sent', 'constructor.name', {}, []],
  ])('has roles from a claim %s', async (_what, rolesClaim, claims, roles) => {
    expect(await withSet({ rolesClaim })(await signed(key, claims))).toEqual({ principal: { name: 'ada', roles } });
  });

  test('is taken as long as the clocks may differ, and no longer', async () => {
    expect(await withSet()(await signed(key, { expiresIn: -30 }))).toHaveProperty('principal');
    expect(await withSet()(await signed(key, { startsIn: 30 }))).toHaveProperty('principal');
    expect(await withSet({ clockSkewSecs: 0 })(await signed(key, { expiresIn: -30 }))).toHaveProperty('refused');
  });
});

describe('refused is a token', () => {
  test.each<[string, Record<string, unknown>, RegExp]>([
    ['that expired', { expiresIn: -120 }, /expired/],
    ['that never expires', { exp: undefined }, /exp/],
    ['that is not valid yet', { startsIn: 120 }, /not valid yet/],
    ['of another issuer', { iss: `${issuer}.elsewhere.example` }, /iss/],
    ['of no issuer', { iss: undefined }, /iss/],
    ['for somebody else', { aud: 'another-service' }, /aud/],
    ['for nobody', { aud: undefined }, /aud/],
    ['that names nobody', { sub: undefined }, /sub/],
    ['with an empty name', { sub: '' }, /sub/],
    ['with a name that is none', { sub: ['ada'] }, /sub/],
    ['with a control character in the name', { sub: 'ada\u0000' }, /sub/],
    ['with a name that is too long', { sub: 'x'.repeat(201) }, /sub/],
    ['in the name of unattended work', { sub: 'Reconciler' }, /unattended/],
  ])('%s', async (_what, over, why) => {
    expect(await withSet()(await signed(key, over))).toEqual({ refused: expect.stringMatching(why) });
  });

  test('by a key that is not published, whatever it calls itself', async () => {
    expect(await withSet()(await signed(other))).toEqual({ refused: expect.stringMatching(/does not publish/) });
    expect(await withSet()(await signed({ ...other, kid: key.kid }))).toEqual({
      refused: expect.stringMatching(/signature/),
    });
  });

  test('with its claims changed after it was signed', async () => {
    const [head, , signature] = (await signed(key)).split('.');
    const claims = { iss: issuer, aud: audience, sub: 'ada', roles: ['operator'], exp: Date.now() };
    expect(await withSet()(`${head}.${part(claims)}.${signature}`)).toEqual({
      refused: expect.stringMatching(/signature/),
    });
  });

  test('without a signature, or signed with what everybody can read', async () => {
    const claims = part({ iss: issuer, aud: audience, sub: 'ada', roles: ['operator'], exp: Date.now() });
    const unsigned = `${part({ alg: 'none' })}.${claims}.`;
    const pem = createPublicKey({ key: { ...key.published }, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
    const mac = ['HS256', 'HS512'].flatMap((alg) =>
      [pem, JSON.stringify(key.published)].map((secret) => {
        const text = `${part({ alg, kid: key.kid })}.${claims}`;
        return `${text}.${createHmac(alg === 'HS256' ? 'sha256' : 'sha512', secret)
          .update(text)
          .digest('base64url')}`;
      }),
    );
    for (const token of [unsigned, ...mac]) expect(await withSet()(token)).toHaveProperty('refused');
  });

  test.each(['', '.', '..', 'a.b.c', 'abc', '\u0000', 'x'.repeat(60_000)])('that is none: %.20j', async (token) => {
    expect(await withSet()(token)).toHaveProperty('refused');
  });
});

describe('published keys', () => {
  async function published(patience: Parameters<typeof signedTokens>[1] = {}) {
    const server = await keyServer([key.published]);
    onTestFinished(server.close);
    return { server, authenticate: signedTokens(issuerOf({ url: server.url }), patience) };
  }

  test('are read once for many tokens', async () => {
    const { server, authenticate } = await published();
    const tokens = await Promise.all(Array.from({ length: 10 }, () => signed(key)));
    for (const answer of await Promise.all(tokens.map(authenticate))) expect(answer).toHaveProperty('principal');
    expect(server.asked).toBe(1);
  });

  test('that were rotated are found, and the old ones count no more', async () => {
    const { server, authenticate } = await published({ cooldownMs: 0 });
    const old = await signed(key);
    expect(await authenticate(old)).toHaveProperty('principal');
    server.keys = [other.published];
    expect(await authenticate(await signed(other))).toHaveProperty('principal');
    expect(await authenticate(old)).toHaveProperty('refused');
  });

  test('are not asked for by every token that somebody makes up', async () => {
    const { server, authenticate } = await published();
    await authenticate(await signed(key));
    for (const kid of ['a', 'b', 'c']) {
      expect(await authenticate(await signed({ ...other, kid }))).toHaveProperty('refused');
    }
    expect(server.asked).toBe(1);
  });

  test.each(['error', 'html', 'drips'] as const)(
    'of a server that is ill (%s): nobody is let in, nobody is refused, and that ends with the illness',
    async (mode) => {
      const { server, authenticate } = await published({ timeoutMs: 1_000 });
      server.mode = mode;
      const token = await signed(key);
      const before = Date.now();
      await expect(authenticate(token)).rejects.toMatchObject({ type: 'issuer-unavailable' });
      expect(Date.now() - before).toBeLessThan(4_500);
      server.mode = 'well';
      expect(await authenticate(token)).toHaveProperty('principal');
    },
  );

  test('of a server that is away', async () => {
    const server = await keyServer([key.published]);
    await server.close();
    const authenticate = signedTokens(issuerOf({ url: server.url }));
    await expect(authenticate(await signed(key))).rejects.toMatchObject({ type: 'issuer-unavailable' });
  });

  test('are not asked for by what no key of theirs could have signed', async () => {
    const { server, authenticate } = await published();
    expect(await authenticate(`${part({ alg: 'none' })}.${part({})}.`)).toHaveProperty('refused');
    expect(await authenticate('no token at all')).toHaveProperty('refused');
    expect(server.asked).toBe(0);
  });
});

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
