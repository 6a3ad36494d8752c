import type { SchemaRef } from '../../../src/delta/table.ts';

/** What a server must offer for some of the cases. */
export type Requirement = 'legacy-tables' | 'principals' | 's3-static-credentials' | 'server-reads-storage';

/** A running server that the cases are played on, over HTTP and nothing else. */
export interface DeltaServer {
  /** Up to `…/unity-catalog`. */
  readonly baseUrl: string;
  readonly offers: ReadonlySet<Requirement>;
  /** A new schema, with managed storage on local disk. */
  openSchema(): Promise<SchemaRef>;
  /** How a request says whose it is; of nobody in particular where the case names none. */
  headersOf(principal: string | undefined): Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Opens a server that tells callers apart and asks for permission, or one that does neither. */
export type OpenDeltaServer = (options: { readonly principals: boolean }) => Promise<DeltaServer>;
