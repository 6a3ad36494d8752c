import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, type JWK, SignJWT, exportJWK, generateKeyPair } from 'jose';
import type { JwtConfig } from '../../../src/config/config.ts';

const algorithm = 'ES256';

interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly published: JWK;
}

export async function signingKey(kid: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm);
  return { kid, privateKey, published: { ...(await exportJWK(publicKey)), kid, alg: algorithm } };
}

export const issuer = 'https://issuer.example';
export const audience = 'catalog-reconciler';

/** An issuer of tokens that are signed with these keys. */
export function issuerOf(keys: JwtConfig['keys'], over: Partial<JwtConfig> = {}): JwtConfig {
  return { issuer, audience, keys, clockSkewSecs: 60, principalClaim: 'sub', rolesClaim: 'roles', ...over };
}

/** A token as it should be, or with other claims; one of `undefined` is left out. Times are seconds from now. */
export async function signed(
  { kid, privateKey }: Pick<SigningKey, 'kid' | 'privateKey'>,
  { expiresIn = 300, startsIn, ...over }: { expiresIn?: number; startsIn?: number; [claim: string]: unknown } = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1_000);
  const claims: Record<string, unknown> = {
    iss: issuer,
    aud: audience,
    sub: 'ada',
    roles: ['approver'],
    exp: now + expiresIn,
  };
  if (startsIn !== undefined) claims['nbf'] = now + startsIn;
  const payload = Object.fromEntries(Object.entries({ ...claims, ...over }).filter(([, value]) => value !== undefined));
  return new SignJWT(payload).setProtectedHeader({ alg: algorithm, kid }).sign(privateKey);
}

/** A server of published keys, which a test may make slow or ill. */
export async function keyServer(keys: readonly JWK[]) {
  const state = { keys, asked: 0, mode: 'well' as 'well' | 'drips' | 'html' | 'error' };
  const server = createServer((_request, response) => {
    state.asked += 1;
    if (state.mode === 'error') {
      response.writeHead(500).end();
    } else if (state.mode === 'html') {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>sign in</html>');
    } else if (state.mode === 'drips') {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{');
      const drip = setInterval(() => response.write(' '), 20);
      response.once('close', () => clearInterval(drip));
    } else {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: state.keys }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return Object.assign(state, { url, close });
}
