import type { FastifyRequest } from 'fastify';
import { DeltaError } from '../../../delta/delta-error.ts';
import { type Principal, mayByRole } from '../../../domain/permission.ts';

/** Who asks, as backends are told. */
export interface DeltaCaller {
  readonly actor: string;
  /** Absent where callers are not told apart. */
  readonly principal?: Principal;
}

export function callerOf({ actor, principal }: FastifyRequest): DeltaCaller {
  return { actor: actor.name, ...(principal === undefined ? {} : { principal }) };
}

/** Reading is for everybody with a role; a credential that writes is for those who may write. */
export function requireOperator({ principal, actor }: FastifyRequest): void {
  if (principal === undefined || mayByRole(principal, 'operate')) return;
  throw new DeltaError('PermissionDenied', `${actor.name} may read only.`);
}
