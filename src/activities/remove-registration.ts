import type { Intent } from '../ledger/ledger.ts';
import type { RemoveAnswer } from '../registries/registry.ts';
import { readAttachments } from './attachments-digest.ts';
import {
  carryOut,
  type IntentInput,
  type IntentOutcome,
  type LastLook,
  requestTimeoutMs,
  type Settlement,
} from './carry-out-intent.ts';
import { cancellation } from './context.ts';
import type { ActivityDeps } from './deps.ts';
import { type Inside, lookAgain } from './last-look.ts';

/** Takes one registration out, and what is inside it. What is attached to them is saved before anything is sent. */
export async function removeRegistration(deps: ActivityDeps, input: IntentInput): Promise<IntentOutcome> {
  const registry = deps.registryOf(input.metalake);
  return carryOut<readonly Inside[]>(deps, input, 'remove', {
    async look(intent, finding): Promise<LastLook<readonly Inside[]>> {
      const look = await lookAgain(deps, input, intent, finding, cancellation());
      if (look.answer === 'gone-on') await save(deps, input, intent, look.seen);
      return look;
    },
    async act(intent, inside): Promise<Settlement> {
      const answer = await registry.remove({
        catalog: input.catalog,
        id: intent.entity,
        kind: intent.kind,
        path: intent.path,
        intentId: intent.id,
        expectedVersion: intent.version,
        expectedInside: inside.map(({ id, version }) => ({ id, version })),
        actor: intent.actor.name,
        notAfter: intent.actBefore,
      });
      return readBack(deps, input, intent, answer, inside.length);
    },
  });
}

async function save(deps: ActivityDeps, input: IntentInput, intent: Intent, inside: readonly Inside[]): Promise<void> {
  const self = { id: intent.entity, version: intent.version, kind: intent.kind, path: intent.path };
  const all = [self, ...inside];
  const registry = deps.registryOf(input.metalake);
  const attached = await readAttachments(
    deps,
    registry,
    input.catalog,
    all.map(({ id }) => id),
    cancellation(),
  );
  await deps.ledger.removals.saveAttachments(
    intent.id,
    all.map(({ id, version, kind, path }) => ({
      entity: id,
      version,
      kind,
      path,
      body: attached.get(id)?.body ?? 'unseen',
    })),
  );
}

/**
 * The registry's word is not enough, whichever way it goes: what it lists afterwards is the outcome, and its tombstone
 * tells whose removal it was.
 */
async function readBack(
  deps: ActivityDeps,
  input: IntentInput,
  intent: Intent,
  answer: RemoveAnswer,
  inside: number,
): Promise<Settlement> {
  if (answer.outcome === 'unknown') return { outcome: 'unknown', reason: answer.reason, entities: 0 };
  const registry = deps.registryOf(input.metalake);
  const signal = AbortSignal.timeout(requestTimeoutMs);
  const isListed = (await registry.registration(input.catalog, intent.entity, signal)) !== undefined;
  switch (answer.outcome) {
    case 'removed':
    case 'already-gone':
      if (isListed) return { outcome: 'refused', reason: 'the registry said removed, but still lists it', entities: 0 };
      break;
    case 'changed':
    case 'present':
    case 'refused':
      if (isListed) return { outcome: answer.outcome, reason: answer.reason, entities: 0 };
  }
  if (answer.outcome === 'removed')
    return { outcome: 'removed', reason: 'removed and read back as gone', entities: answer.entities };
  const trace = await registry.outcomeOf(input.catalog, intent.id, signal);
  return trace === 'removed'
    ? { outcome: 'removed', reason: `the registry said ${answer.outcome}, but removed it`, entities: inside + 1 }
    : { outcome: 'already-gone', reason: 'no longer registered, and not by this intent', entities: 0 };
}
