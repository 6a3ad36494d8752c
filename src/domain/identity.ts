import { impossible } from './impossible.ts';
import { pathText } from './path.ts';
import { type EntityKind, kindFits } from './registration.ts';
import type { Located, ProbeAnswer, ProbeTarget, RememberedIdentity, Verdict } from './verdict.ts';

/**
 * The verdict that one answer supports on its own, before the search for moved objects. A name that now belongs to
 * another identity or another kind is `replaced`, never absent and never simply present.
 */
export function verdictOf(kind: EntityKind, answer: ProbeAnswer, remembered: RememberedIdentity | undefined): Verdict {
  switch (answer.answer) {
    case 'present': {
      const { code, found, uid } = answer;
      const identity = uid === undefined ? {} : { uid };
      const replaced =
        !kindFits(kind, found) || (remembered?.uid !== undefined && uid !== undefined && remembered.uid !== uid);
      return { kind: replaced ? 'replaced' : 'present', code, found, ...identity };
    }
    case 'absent':
      return { kind: 'absent', code: answer.code, ...(remembered?.uid === undefined ? {} : { uid: remembered.uid }) };
    case 'parent-absent':
      // Settled later, when the round has judged the parent.
      return { kind: 'unknown', code: parentAbsentCode };
    case 'unknown':
      return { kind: 'unknown', code: answer.code };
    default:
      return impossible(answer);
  }
}

/** The code of a verdict that waits for the judgement of its parent. */
export const parentAbsentCode = 'parent-absent';

/**
 * A child whose container is missing is absent only if this round judged the registered container absent and the
 * source's own rules say that children cannot outlive it (PostgreSQL: yes; Iceberg: no).
 */
export function settleParentAbsent(
  parent: Verdict['kind'] | undefined,
  parentImpliesChild: boolean,
  rememberedUid: string | undefined,
): Verdict {
  if (parent !== 'absent' || !parentImpliesChild) return { kind: 'unknown', code: parentAbsentCode };
  return { kind: 'absent', code: parentAbsentCode, ...(rememberedUid === undefined ? {} : { uid: rememberedUid }) };
}

/**
 * Looks for an absent object's identity elsewhere. It is a rename only when exactly one object holds the identity; two
 * holders are a copy, of which nobody can tell which one is meant.
 *
 * @param target the registration that was asked about
 * @param located every place where the source sees the identity now
 * @param isRegistered whether a path carries a registration already
 */
export function settleMoved(
  target: ProbeTarget,
  absent: Extract<Verdict, { kind: 'absent' }>,
  located: readonly Located[],
  isRegistered: (located: Located) => boolean,
): Verdict {
  const { uid } = absent;
  if (uid === undefined) return absent;
  const [first, second] = located.filter((place) => place.uid === uid);
  if (first === undefined) return absent;
  // Gone by its name and there by its identity, at one and the same place: the source contradicts itself.
  if (pathText(first.path) === pathText(target.path)) return { kind: 'unknown', code: 'contradiction' };
  if (second !== undefined || !kindFits(target.kind, first.found))
    return { kind: 'copied', code: 'identity-elsewhere', uid };
  return { kind: 'renamed', code: 'identity-elsewhere', uid, movedTo: first.path, taken: isRegistered(first) };
}
