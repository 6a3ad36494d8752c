import type { CatalogName } from '../contract/names.ts';
import { ReconcilerFailure } from '../domain/failure.ts';
import { lostForGood, type RestoreOutcome } from '../domain/restore.ts';
import type { RestoreRecord, SavedEntity } from '../ledger/ledger.ts';
import type { RestoreAnswer } from '../registries/registry.ts';
import type { ActivityDeps } from './deps.ts';

export interface RestoreInput extends CatalogName {
  readonly restoreId: string;
}

export interface Restored {
  readonly outcome: RestoreOutcome;
  readonly reason: string;
}

/**
 * Undoes a removal as a person wished it. Safe to repeat: the registry answers a repeated request like the first, and a
 * wish that was settled is left alone.
 */
export async function restoreRegistration(deps: ActivityDeps, input: RestoreInput): Promise<Restored> {
  const { restores } = deps.ledger;
  const wish = await restores.restore(input.restoreId);
  if (wish === undefined) {
    throw new ReconcilerFailure('InvalidRequest', 'no-such-restore', `no restore ${input.restoreId} was asked for`);
  }
  if (wish.state === 'settled') return told(wish);
  const saved = await restores.saved(wish.removal);
  const answer = await ask(deps, input, wish, saved);
  if (answer.outcome === 'unknown') {
    throw new ReconcilerFailure(
      'RegistryUnreachable',
      answer.reason,
      `the registry did not tell whether restore ${wish.id} was done (${answer.reason})`,
    );
  }
  const { id } = wish;
  const now = deps.clock();
  if (answer.outcome === 'refused') {
    const { reason } = answer;
    return told(await restores.settle({ id, outcome: 'refused', reason, warnings: [], entities: 0, now }));
  }
  const lost = saved.flatMap(({ path, body }) => lostForGood(path, body));
  const warnings = [...answer.warnings, ...lost];
  const { entities } = answer;
  const reason = 'registered again under the same id';
  return told(await restores.settle({ id, outcome: 'restored', reason, warnings, entities, now }));
}

async function ask(
  deps: ActivityDeps,
  { metalake, catalog }: CatalogName,
  wish: RestoreRecord,
  saved: readonly SavedEntity[],
): Promise<RestoreAnswer> {
  // A retention that took it between the wish and now.
  if (saved.length === 0) return { outcome: 'refused', reason: 'not-saved' };
  return deps.registryOf(metalake).restore({
    catalog,
    restoreId: wish.id,
    intentId: wish.removal,
    entities: saved.map(({ entity, body, ...rest }) => ({ ...rest, id: entity, attachments: body })),
    actor: wish.actor.name,
  });
}

function told({ outcome = 'refused', outcomeReason = '' }: RestoreRecord): Restored {
  return { outcome, reason: outcomeReason };
}
