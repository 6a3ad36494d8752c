/** Every way in which the embedded registry says no to a person's request. */
export type RefusalReason =
  /** No such metalake, catalog, container or entity. */
  | 'not-found'
  | 'already-exists'
  /** An id that was promised for one registration has become another one's. */
  | 'id-taken'
  /** A container with contents is dropped with `cascade` only; a catalog with contents not at all. */
  | 'not-empty'
  /** The caller expected another version. */
  | 'version-conflict'
  | 'invalid-name'
  | 'invalid-cursor'
  /** Secrets have a place of their own; settings and properties are shown to everyone. */
  | 'misplaced-secret'
  /** A container cannot be moved into itself, nor an entity to another kind of place. */
  | 'invalid-move';

/** The embedded registry refuses, and nothing was changed. The message is shown to people: never a secret in it. */
export class RegistryRefusal extends Error {
  override readonly name = 'RegistryRefusal';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
