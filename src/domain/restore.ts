import type { Path } from './path.ts';

/** How the undoing of a removal ended. */
export type RestoreOutcome = 'restored' | 'refused';

/** Something that was attached to a removed registration and could not be given back. */
export interface RestoreWarning {
  readonly path: Path;
  /** Which attachment, in words such as `tag pii` or `secret password`, and why. */
  readonly what: string;
}
