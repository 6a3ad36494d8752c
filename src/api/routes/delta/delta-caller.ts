import type { FastifyRequest } from 'fastify';
import type { Principal } from '../../../domain/permission.ts';

/** Who asks, as backends are told. */
export interface DeltaCaller {
  readonly actor: string;
  /** Absent where callers are not told apart. */
  readonly principal?: Principal;
}

export function callerOf({ actor, principal }: FastifyRequest): DeltaCaller {
  return { actor: actor.name, ...(principal === undefined ? {} : { principal }) };
}
