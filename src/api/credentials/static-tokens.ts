import { createHash, timingSafeEqual } from 'node:crypto';
import type { Principal } from '../../domain/permission.ts';
import type { Authenticator } from './authenticator.ts';

/**
 * Tokens that were handed out by configuration. Digests of equal length are compared, all of them each time, so that the
 * time of an answer tells neither how much of a guess was right nor whose token it resembles.
 */
export function staticTokens(
  tokens: readonly { readonly principal: Principal; readonly token: string }[],
): Authenticator {
  const known = tokens.map(({ principal, token }) => ({ principal, digest: digestOf(token) }));
  return async (token) => {
    const asked = digestOf(token);
    const matching = known.filter(({ digest }) => timingSafeEqual(digest, asked));
    const [match] = matching;
    return match === undefined ? { refused: 'Nobody has this token.' } : { principal: match.principal };
  };
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
