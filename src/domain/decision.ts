import type { Actor } from './actor.ts';
import { impossible } from './impossible.ts';
import { type Path, pathText } from './path.ts';
import type { Standing } from './finding.ts';
import type { IntentAction } from './removal.ts';

/** What a person may answer to a finding. */
export type DecisionAction = 'approve' | 'reject' | 'keep' | 'accept' | 'repoint';

/** The decision that asks for an intent. Both wait to be carried out, and expire where they are not. */
export const askedBy = { remove: 'approve', repoint: 'repoint' } as const satisfies Record<
  IntentAction,
  DecisionAction
>;

export interface DecisionRequest {
  readonly findingId: string;
  /** The digest of the evidence that the person saw. */
  readonly digest: string;
  readonly action: DecisionAction;
  /** For `keep`: Unix milliseconds; absent for a keep for good. */
  readonly keepUntil?: number;
}

/** Everything that a decision is judged by, read under the finding's lock. */
export interface DecisionContext {
  readonly finding:
    | {
        readonly state: 'open' | 'closed';
        readonly digest: string;
        readonly standing: Pick<Standing, 'verdict'>;
        readonly renamedTaken: boolean;
        readonly movedTo?: Path;
        /** The outermost absent container that carries it, as a path text. */
        readonly carrier?: string;
      }
    | undefined;
  /** The id of a person's standing keep that covers the registration. */
  readonly keptBy?: string;
  readonly intentOpen: boolean;
  /** Whether the catalog's registry can give a registration another name. */
  readonly canRepoint: boolean;
  readonly now: number;
  /** When the request stops being meant; an update that waited for a worker may arrive later. */
  readonly notAfter: number;
}

export type RefusalReason =
  | 'no-such-finding'
  | 'too-late'
  | 'signals-off'
  | 'closed'
  | 'changed'
  | 'removal-running'
  | 'kept'
  | 'approve-container'
  | 'renamed'
  | 'replaced'
  | 'copied'
  | 'nothing-to-accept'
  | 'nothing-to-repoint'
  | 'cannot-repoint'
  | 'keep-in-the-past';

export interface Refusal {
  readonly reason: RefusalReason;
  readonly hint: string;
}

/** Why nothing counts that came from this actor; a Temporal signal proves nothing about who sent it. */
export function actorRefusal(
  { via }: Pick<Actor, 'via'>,
  { allowTemporalSignals }: { readonly allowTemporalSignals: boolean },
): Refusal | undefined {
  if (via !== 'temporal' || allowTemporalSignals) return undefined;
  return {
    reason: 'signals-off',
    hint: 'Nobody proved who sent the signal. Decide over the API or the command line, or set auth.allowTemporalSignals.',
  };
}

/** Why a decision is refused, with what the person may do instead; `undefined` where it is accepted. */
export function decisionRefusal(
  request: DecisionRequest,
  { finding, keptBy, intentOpen, canRepoint, now, notAfter }: DecisionContext,
): Refusal | undefined {
  if (finding === undefined) {
    return { reason: 'no-such-finding', hint: 'List the stale registrations again; it may have been closed long ago.' };
  }
  if (now > notAfter) return { reason: 'too-late', hint: 'The request waited too long. Send it again.' };
  if (finding.state === 'closed')
    return { reason: 'closed', hint: 'Nothing is left to decide: the finding is closed.' };
  if (request.digest !== finding.digest) {
    return { reason: 'changed', hint: 'What you saw is no longer true. Look at the finding again and decide anew.' };
  }
  if (intentOpen) return { reason: 'removal-running', hint: 'Its removal has begun. Wait for the outcome.' };
  if (request.action === 'keep' && request.keepUntil !== undefined && request.keepUntil <= now) {
    return { reason: 'keep-in-the-past', hint: 'Give a time in the future, or none to keep it for good.' };
  }
  if (request.action === 'accept' && finding.standing.verdict !== 'replaced') {
    return { reason: 'nothing-to-accept', hint: 'Only a replaced object can be accepted as the new one.' };
  }
  if (request.action === 'repoint') return repointRefusal(finding, canRepoint);
  if (request.action !== 'approve') return undefined;
  if (keptBy !== undefined) {
    return { reason: 'kept', hint: `The standing keep ${keptBy} covers it. Take that back first, with unkeep.` };
  }
  if (finding.carrier !== undefined) {
    return {
      reason: 'approve-container',
      hint: `It goes with its container. Approve ${finding.carrier}, or keep or reject this one to hold the container back.`,
    };
  }
  switch (finding.standing.verdict) {
    case 'absent':
      return undefined;
    case 'renamed':
      if (finding.renamedTaken) return undefined;
      return {
        reason: 'renamed',
        hint: 'The object lives under another name. Re-point the registration to it (`repoint`).',
      };
    case 'replaced':
      return { reason: 'replaced', hint: 'Another object has this name now. Accept it, or change the registration.' };
    case 'copied':
      return { reason: 'copied', hint: 'Several objects carry its identity. Sort that out at the source first.' };
    default:
      return impossible(finding.standing.verdict);
  }
}

/** A registration follows its object only to one place, and only where nothing is registered there yet. */
function repointRefusal(finding: NonNullable<DecisionContext['finding']>, canRepoint: boolean): Refusal | undefined {
  const reason = 'nothing-to-repoint';
  if (finding.standing.verdict !== 'renamed' || finding.movedTo === undefined) {
    return { reason, hint: 'Only a registration whose object lives under another name can be re-pointed.' };
  }
  if (finding.renamedTaken) {
    const hint = `${pathText(finding.movedTo)} is registered already. Approve the removal of the old registration, or keep it.`;
    return { reason, hint };
  }
  if (canRepoint) return undefined;
  return { reason: 'cannot-repoint', hint: 'This registry cannot rename a registration. Rename it there, or keep it.' };
}
