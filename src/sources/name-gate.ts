/** Why a name is not asked about; each makes `unknown`, because the answer would be about another name or none. */
export type NameDoubt =
  | 'name-empty'
  | 'name-too-long'
  | 'name-not-well-formed'
  | 'name-holds-nul'
  | 'name-holds-replacement'
  | 'name-outer-blank';

/** What names of a source can be. */
export interface NameRule {
  /** Longest name in bytes of UTF-8; longer ones are cut by the source, and exist under the shorter name. */
  readonly maxBytes?: number;
  /** Longest name in characters (code points). */
  readonly maxCharacters?: number;
  /** Whether a blank at either end is part of the name, or may be dropped on the way. */
  readonly outerBlanks: 'kept' | 'doubtful';
}

/** Looks at one segment of a path before anything is sent; `undefined` where it may be asked about. */
export function nameDoubt(name: string, rule: NameRule): NameDoubt | undefined {
  if (name === '') return 'name-empty';
  // Drivers send a lone surrogate as U+FFFD: the source would truthfully answer about another name.
  if (/\p{Surrogate}/u.test(name)) return 'name-not-well-formed';
  if (name.includes('\0')) return 'name-holds-nul';
  // Somebody failed to decode the real name before it was registered; what it was nobody can tell.
  if (name.includes('\ufffd')) return 'name-holds-replacement';
  if (rule.maxBytes !== undefined && Buffer.byteLength(name) > rule.maxBytes) return 'name-too-long';
  if (rule.maxCharacters !== undefined && Array.from(name).length > rule.maxCharacters) return 'name-too-long';
  if (rule.outerBlanks === 'doubtful' && name.trim() !== name) return 'name-outer-blank';
  return undefined;
}
