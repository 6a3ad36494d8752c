/** Every failure of the Delta API: its type on the wire and its HTTP status. The only list of them. */
export const deltaFailures = {
  BadRequest: ['BadRequestException', 400],
  InvalidArgument: ['InvalidParameterValueException', 400],
  UnsupportedTableFormat: ['UnsupportedTableFormatException', 400],
  Unauthenticated: ['NotAuthorizedException', 401],
  PermissionDenied: ['PermissionDeniedException', 403],
  NoSuchCatalog: ['NoSuchCatalogException', 404],
  NoSuchSchema: ['NoSuchSchemaException', 404],
  NoSuchTable: ['NoSuchTableException', 404],
  NotFound: ['NotFoundException', 404],
  MethodNotAllowed: ['NotFoundException', 405],
  AlreadyExists: ['AlreadyExistsException', 409],
  CommitVersionConflict: ['CommitVersionConflictException', 409],
  UpdateRequirementConflict: ['UpdateRequirementConflictException', 409],
  ResourceExhausted: ['ResourceExhaustedException', 429],
  TooManyRequests: ['TooManyRequestsException', 429],
  CommitStateUnknown: ['CommitStateUnknownException', 500],
  Internal: ['InternalServerErrorException', 500],
  Unavailable: ['InternalServerErrorException', 503],
  NotImplemented: ['NotImplementedException', 501],
} as const satisfies Readonly<Record<string, readonly [type: string, status: number]>>;

export type DeltaFailure = keyof typeof deltaFailures;

/**
 * A failure with the message that the caller is told. Handler and backends throw it; whatever else is thrown becomes
 * `Internal`, and its message stays in the log.
 */
export class DeltaError extends Error {
  override readonly name = 'DeltaError';
  readonly failure: DeltaFailure;

  constructor(failure: DeltaFailure, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.failure = failure;
  }
}

/**
 * A backend's refusal to put a table where something else lives already. Whether that is forbidden or invalid is the
 * handler's to say.
 */
export class LocationTaken extends Error {
  override readonly name = 'LocationTaken';
  /** What is at, above or below the wanted location: `managed-storage` is a root under which staging allocates. */
  readonly occupant: 'table' | 'staging' | 'managed-storage';

  constructor(occupant: LocationTaken['occupant'], location: string) {
    super(`Location ${location} overlaps with a ${occupant} location.`);
    this.occupant = occupant;
  }
}

/** A backend waited for the table's other writers as long as it may, and has changed nothing. */
export class TableBusy extends Error {
  override readonly name = 'TableBusy';
}
