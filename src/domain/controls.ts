import type { ProbeAnswer } from './verdict.ts';

/** Answers to questions whose answers are known; they prove that a probe can see. */
export interface ControlAnswers {
  /** Something that every source of this kind has, such as `pg_catalog.pg_class`. */
  readonly builtin: ProbeAnswer;
  /** A random impossible name. */
  readonly impossible: ProbeAnswer;
  /** Up to three objects of this very source that an earlier round saw. */
  readonly known: readonly ProbeAnswer[];
}

/**
 * - `trusted`: present ones are present, the impossible one is absent.
 * - `no-known`: as trusted, but nothing of this source is known yet: findings are reported, not removable.
 * - `controls-absent`: the source itself is fine, yet every known object is gone: held for a person.
 * - `untrusted`: an answer that cannot be: believe nothing in either direction.
 */
export type ControlReading = 'trusted' | 'no-known' | 'controls-absent' | 'untrusted';

export function readControls(controls: ControlAnswers): ControlReading {
  if (controls.builtin.answer !== 'present' || controls.impossible.answer !== 'absent') return 'untrusted';
  if (controls.known.length === 0) return 'no-known';
  if (controls.known.some(({ answer }) => answer === 'present')) return 'trusted';
  const allGone = controls.known.every(({ answer }) => answer === 'absent' || answer === 'parent-absent');
  return allGone ? 'controls-absent' : 'untrusted';
}

/** How many known-present objects are asked for beside each question; one present answer is enough. */
export const knownControls = 3;
