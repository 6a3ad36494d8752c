import type { Principal } from '../../domain/permission.ts';

/** Whose token it is, or why nobody's, as a sentence that may be shown: nothing of the token is in it. */
export type Authentication = { readonly principal: Principal } | { readonly refused: string };

/** Says whose token this is. Throws problem `issuer-unavailable` where it cannot be known at present. */
export type Authenticator = (token: string) => Promise<Authentication>;

/** Asks one after the other; the first that knows the token counts, else what the last one said. */
export function firstOf(...authenticators: readonly Authenticator[]): Authenticator {
  return async (token) => {
    let answer: Authentication = { refused: 'Nobody has this token.' };
    for (const authenticate of authenticators) {
      answer = await authenticate(token);
      if ('principal' in answer) break;
    }
    return answer;
  };
}
