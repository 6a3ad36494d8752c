import { type Path, pathText } from './path.ts';
import type { Attachments } from './registration.ts';
import type { IntentAction, RemovalOutcome } from './removal.ts';

/** How the undoing of a removal ended. */
export type RestoreOutcome = 'restored' | 'refused';

/** Something that was attached to a removed registration and could not be given back. */
export interface RestoreWarning {
  readonly path: Path;
  /** Which attachment, in words such as `tag pii` or `secret password`, and why. */
  readonly what: string;
}

/** How long what was restored is kept: until somebody has looked, or the next rounds would undo it. */
export const restoreKeepMs = 7 * 24 * 3_600_000;

export type RestoreRefusal = 'no-such-removal' | 'not-removed' | 'already-restored' | 'not-saved' | 'cannot-restore';

/** Everything that a wish to undo a removal is judged by, read under the catalog's lock. */
export interface RestoreContext {
  readonly removal:
    | { readonly action: IntentAction; readonly outcome: RemovalOutcome; readonly path: Path }
    | undefined;
  readonly restored: boolean;
  /** Whether what was attached is still on record. */
  readonly saved: boolean;
  /** Whether the registry can register something again under its old id. */
  readonly canRestore: boolean;
}

/** Why a removal cannot be undone, in a sentence; `undefined` where it can be tried. */
export function restoreRefusal({
  removal,
  restored,
  saved,
  canRestore,
}: RestoreContext): { readonly reason: RestoreRefusal; readonly hint: string } | undefined {
  if (removal === undefined) return { reason: 'no-such-removal', hint: 'No removal of this id is on record.' };
  const where = pathText(removal.path);
  if (removal.action !== 'remove' || removal.outcome !== 'removed') {
    return { reason: 'not-removed', hint: `Nothing was removed at ${where} (${removal.outcome}).` };
  }
  if (restored) return { reason: 'already-restored', hint: `The removal of ${where} was undone before.` };
  if (!canRestore) return { reason: 'cannot-restore', hint: 'This registry cannot register under an old id.' };
  if (!saved) return { reason: 'not-saved', hint: `What was attached to ${where} is no longer on record.` };
  return undefined;
}

/** What cannot come back by its nature, one line a thing: known before a removal, and told again after a restore. */
export function lostForGood(path: Path, attachments: Attachments | 'unseen'): readonly RestoreWarning[] {
  if (attachments === 'unseen') return [{ path, what: 'attachments: they could not be seen when it was removed' }];
  return (attachments.secrets ?? []).map((name) => ({ path, what: `secret ${name}: secrets are never saved` }));
}
