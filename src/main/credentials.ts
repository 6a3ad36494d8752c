import { type Authenticator, firstOf } from '../api/credentials/authenticator.ts';
import { signedTokens } from '../api/credentials/signed-tokens.ts';
import { staticTokens } from '../api/credentials/static-tokens.ts';
import type { OwnersOf } from '../api/plugins/authorize.ts';
import type { AuthConfig, Config } from '../config/config.ts';
import type { Services } from './services.ts';

/** One row by its name; a database that takes longer is ill. */
const readTimeoutMs = 5_000;

/** Told at start where no credential is configured. */
export const openToAll = 'No credential is configured: whoever is on this machine may do everything, under any name.';

/** Whether the API takes requests without a token, over plain HTTP, as the demo sends them. */
export function isOpenToAll({ auth, server }: Pick<Config, 'auth' | 'server'>): boolean {
  return !auth.hasCredentials && server.tls === undefined;
}

/** Who is who by these settings; `undefined` where no credential is configured. */
export function authenticatorOf({ hasCredentials, tokens, jwt }: AuthConfig): Authenticator | undefined {
  if (!hasCredentials) return undefined;
  const handedOut = staticTokens(tokens.map(({ principal, token }) => ({ principal, token: token.reveal() })));
  return jwt === undefined ? handedOut : firstOf(handedOut, signedTokens(jwt));
}

/** Owners as the embedded registry has them now. */
export function ownersIn({ metalakes, registryOf }: Pick<Services, 'metalakes' | 'registryOf'>): OwnersOf {
  return async (metalake, catalog) => {
    const lake = await metalakes.find(metalake);
    if (lake === undefined) return [];
    const signal = AbortSignal.timeout(readTimeoutMs);
    const named = catalog === undefined ? undefined : await registryOf(metalake).catalog(catalog, signal);
    return [lake.owner, named?.owner].filter((owner) => owner !== undefined);
  };
}
