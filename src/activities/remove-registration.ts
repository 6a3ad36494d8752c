import type { CatalogName } from '../contract/names.ts';
import { ReconcilerFailure } from '../domain/failure.ts';
import type { RemovalOutcome } from '../domain/removal.ts';
import { pathText } from '../domain/path.ts';
import type { Intent } from '../ledger/ledger.ts';
import type { RemoveAnswer } from '../registries/registry.ts';
import { readAttachments } from './attachments-digest.ts';
import { cancellation } from './context.ts';
import type { ActivityDeps } from './deps.ts';
import { type LastLook, lookAgain } from './last-look.ts';

export interface RemoveInput extends CatalogName {
  readonly finding: string;
  /** Chosen by the workflow, so that a repeated call is recognised. */
  readonly intentId: string;
}

export interface RemoveOutcome {
  readonly outcome: RemovalOutcome;
  readonly reason: string;
}

/** Time from the intent to the last moment at which the request may be sent. Looking again takes seconds at most. */
const actWithinMs = 30_000;

/** How long a registry may take over one removal; nothing is settled before it is over. */
export const removeTimeoutMs = 15_000;

/**
 * Intent → look again → save → act → read back → outcome. Called once: any failure after the request was sent means
 * that the outcome is unknown, and the open intent says so until somebody has looked.
 */
export async function removeRegistration(deps: ActivityDeps, input: RemoveInput): Promise<RemoveOutcome> {
  const registry = deps.registryOf(input.metalake);
  const key = pathText([input.metalake, input.catalog]);
  const now = deps.clock();
  const opened = await deps.ledger.removals.openIntent({
    id: input.intentId,
    catalog: key,
    finding: input.finding,
    now,
    actBefore: now + actWithinMs,
    exclusive: registry.capabilities.exclusive,
  });
  if (opened.answer === 'barred') return { outcome: 'not-permitted', reason: opened.bar };
  const { intent, finding } = opened;

  let look: LastLook;
  try {
    look = await lookAgain(deps, input, intent, finding, cancellation());
    if (look.answer === 'gone-on') await save(deps, input, intent, look);
  } catch (error) {
    // Nothing was sent. Where the source or the registry could not be asked, the catalog waits for a round that can.
    const reason = error instanceof Error ? error.message : 'the last look failed';
    return settle(deps, intent, { outcome: isOurs(error) ? 'abandoned' : 'source-unreachable', reason, entities: 0 });
  }
  if (look.answer === 'stop') return settle(deps, intent, { ...look, entities: 0 });
  if (deps.clock() > intent.actBefore) {
    return settle(deps, intent, { outcome: 'abandoned', reason: 'looking again took too long', entities: 0 });
  }
  // From here on the answer may be lost; whatever is thrown leaves the intent open.
  const answer = await registry.remove({
    catalog: input.catalog,
    id: intent.entity,
    kind: intent.kind,
    path: intent.path,
    intentId: intent.id,
    expectedVersion: intent.version,
    expectedInside: look.inside.map(({ id, version }) => ({ id, version })),
    actor: intent.actor.name,
    notAfter: intent.actBefore,
  });
  return settle(deps, intent, await readBack(deps, input, intent, answer));
}

/** A worker that shuts down, a review that was cancelled, a ledger that blinked: none of it speaks of the source. */
function isOurs(error: unknown): boolean {
  return cancellation().aborted || (error instanceof ReconcilerFailure && error.type === 'LedgerUnavailable');
}

async function save(
  deps: ActivityDeps,
  input: RemoveInput,
  intent: Intent,
  look: Extract<LastLook, { answer: 'gone-on' }>,
): Promise<void> {
  const self = { id: intent.entity, version: intent.version, kind: intent.kind, path: intent.path };
  const all = [self, ...look.inside];
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

interface Settlement extends RemoveOutcome {
  readonly entities: number;
}

/** The registry's word is not enough: what it lists afterwards is the outcome. */
async function readBack(
  deps: ActivityDeps,
  input: RemoveInput,
  intent: Intent,
  answer: RemoveAnswer,
): Promise<Settlement> {
  switch (answer.outcome) {
    case 'removed': {
      const still = await deps
        .registryOf(input.metalake)
        .registration(input.catalog, intent.entity, AbortSignal.timeout(removeTimeoutMs));
      return still === undefined
        ? { outcome: 'removed', reason: 'removed and read back as gone', entities: answer.entities }
        : { outcome: 'refused', reason: 'the registry said removed, but still lists it', entities: 0 };
    }
    case 'already-gone':
      return { outcome: 'already-gone', reason: 'no longer registered', entities: 0 };
    case 'unknown':
      return { outcome: 'unknown', reason: answer.reason, entities: 0 };
    case 'changed':
    case 'present':
    case 'refused':
      return { outcome: answer.outcome, reason: answer.reason, entities: 0 };
  }
}

async function settle(deps: ActivityDeps, intent: Intent, settlement: Settlement): Promise<RemoveOutcome> {
  const { outcome, reason, entities } = settlement;
  await deps.ledger.removals.settle({ intent: intent.id, outcome, reason, entities, now: deps.clock() });
  return { outcome, reason };
}
