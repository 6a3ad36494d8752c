import { type JWTPayload, type JWTVerifyGetKey, createLocalJWKSet, createRemoteJWKSet, errors, jwtVerify } from 'jose';
import type { JwtConfig } from '../../config/config.ts';
import { reconciler } from '../../domain/actor.ts';
import { isSamePerson } from '../../domain/four-eyes.ts';
import { type Principal, type Role, roles } from '../../domain/permission.ts';
import { ApiProblem } from '../problems/api-problem.ts';
import { isActorName, maxActorNameLength } from '../schemas/actor.ts';
import type { Authentication, Authenticator } from './authenticator.ts';

/** How the published keys are read; the defaults are for production. */
export interface KeyPatience {
  /** Of headers and body together; an issuer that is slower keeps every request waiting. */
  readonly timeoutMs?: number;
  /** Between two looks for a key that is not known, so that made-up tokens cannot be used to flood the issuer. */
  readonly cooldownMs?: number;
}

/**
 * Signatures that only the issuer can make. Not among them: `none`, and `HS…`, under which whoever reads a public key
 * could sign with it.
 */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** Keys are taken for good this long: after that, one that the issuer withdrew counts no more. */
const cacheMs = 10 * 60_000;

/** JSON Web Tokens of one issuer, by its published keys. */
export function signedTokens(of: JwtConfig, patience: KeyPatience = {}): Authenticator {
  const { issuer, audience, clockSkewSecs, principalClaim, rolesClaim } = of;
  const keys = 'url' in of.keys ? publishedKeys(of.keys.url, patience) : createLocalJWKSet({ keys: [...of.keys.set] });
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms,
        clockTolerance: clockSkewSecs,
        requiredClaims: ['exp', principalClaim],
      });
      return principalOf(payload, principalClaim, rolesClaim);
    } catch (error) {
      if (error instanceof errors.JOSEError) return { refused: refusal(error) };
      throw error;
    }
  };
}

/** A key that could not be looked for is no fault of the token: nobody knows, so nobody is let in and nobody is refused. */
function publishedKeys(url: string, { timeoutMs = 5_000, cooldownMs = 30_000 }: KeyPatience): JWTVerifyGetKey {
  const published = createRemoteJWKSet(new URL(url), {
    timeoutDuration: timeoutMs,
    cooldownDuration: cooldownMs,
    cacheMaxAge: cacheMs,
  });
  return async (header, token) => {
    try {
      return await published(header, token);
    } catch (error) {
      if (ofTheToken.some((known) => error instanceof known)) throw error;
      throw new ApiProblem('issuer-unavailable', 'The keys of the issuer cannot be read, so no token can be checked.', {
        retryAfterSeconds: 5,
        cause: error,
      });
    }
  };
}

const ofTheToken = [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported];

function principalOf(payload: JWTPayload, principalClaim: string, rolesClaim: string): Authentication {
  const name = payload[principalClaim];
  if (!isActorName(name)) {
    return { refused: `Claim ${principalClaim} is no name of 1 to ${maxActorNameLength} printable characters.` };
  }
  if (isSamePerson({ name }, reconciler)) {
    return { refused: `Claim ${principalClaim} is the name of unattended work, which nobody may bear.` };
  }
  const principal: Principal = { name, roles: rolesOf(claimAt(payload, rolesClaim)) };
  return { principal };
}

/**
 * The claim of that very name, dots and all; else the one that its dots lead to, object by object: some issuers keep
 * roles in `realm_access.roles`.
 */
function claimAt(payload: JWTPayload, name: string): unknown {
  if (Object.hasOwn(payload, name)) return payload[name];
  return name
    .split('.')
    .reduce<unknown>((at, key) => (isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined), payload);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What is no role of ours says nothing; an issuer knows roles of many services. */
function rolesOf(claim: unknown): readonly Role[] {
  const words: readonly unknown[] = typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [];
  return roles.filter((role) => words.includes(role));
}

function refusal(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'The token expired.';
  if (error instanceof errors.JWTClaimValidationFailed) {
    return error.claim === 'nbf'
      ? 'The token is not valid yet.'
      : `Claim ${error.claim} is missing or not as it must be.`;
  }
  if (error instanceof errors.JOSEAlgNotAllowed) return 'The token is not signed in a way that only its issuer can.';
  if (error instanceof errors.JWKSNoMatchingKey)
    return 'The token is signed with a key that its issuer does not publish.';
  if (error instanceof errors.JWKSMultipleMatchingKeys)
    return 'The token does not name which key of its issuer signed it.';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'The signature of the token is wrong.';
  return 'Nobody has this token.';
}
