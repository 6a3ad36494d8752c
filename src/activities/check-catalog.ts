import type { CatalogName } from '../contract/names.ts';
import { type ControlReading, knownControls, readControls } from '../domain/controls.ts';
import { epochOf } from '../domain/digest.ts';
import { ReconcilerFailure } from '../domain/failure.ts';
import { pathText } from '../domain/path.ts';
import { scopeOf } from '../domain/policy.ts';
import { cancellation } from './context.ts';
import type { ActivityDeps } from './deps.ts';

export interface CheckInput extends CatalogName {
  readonly roundId: string;
  /** What the first check of the round saw; given to the second one, which must see the same. */
  readonly before?: CheckAnswer;
}

export interface CheckAnswer {
  readonly reading: Exclude<ControlReading, 'untrusted'>;
  readonly fingerprint: string;
  readonly principal: string;
  readonly epoch: string;
  /** Another system answers behind the catalog's address than the one that was accepted. */
  readonly sourceChanged: boolean;
}

/**
 * Whether the source answers, the credentials work, and the controls answer as they must. Everything else means that
 * nothing may be concluded from this source now.
 */
export async function checkCatalog(deps: ActivityDeps, input: CheckInput): Promise<CheckAnswer> {
  const signal = cancellation();
  const key = pathText([input.metalake, input.catalog]);
  const { source, connection } = await deps.sourceOf(input, signal);
  const known = await deps.ledger.rounds.knownObjects(key, knownControls);
  const { controls, fingerprint, principal } = await source.check(known, signal);
  const reading = readControls(controls);
  if (reading === 'untrusted') {
    throw new ReconcilerFailure(
      'ProbeUntrusted',
      'controls',
      `The source of ${key} answered a control question wrongly (built-in object ${controls.builtin.answer}, impossible name ${controls.impossible.answer}), so none of its answers is believed.`,
    );
  }
  const { policy } = await deps.ledger.catalogs.policy(key);
  const epoch = epochOf({ connection, principal, fingerprint, scope: scopeOf(policy) }, deps.hash);
  const accepted = input.before ?? (await deps.ledger.catalogs.catalog(key));
  if (input.before !== undefined && input.before.epoch !== epoch) {
    throw new ReconcilerFailure(
      'ProbeUntrusted',
      'changed-while-probing',
      `The source of ${key}, its principal or the scope changed while the round was probing; the round’s answers are discarded.`,
    );
  }
  const sourceChanged = accepted?.fingerprint !== undefined && accepted.fingerprint !== fingerprint;
  return { reading, fingerprint, principal, epoch, sourceChanged };
}
