import type { Target } from '../entity-rows.ts';
import { RegistryRefusal } from '../refusal.ts';

/** Refuses with what was asked for. */
export function entityNotFound(target: Target): never {
  const what =
    target.by === 'id' ? `entity ${JSON.stringify(target.id)}` : `${target.kind} ${JSON.stringify(target.path)}`;
  throw new RegistryRefusal('not-found', `no ${what}`);
}
