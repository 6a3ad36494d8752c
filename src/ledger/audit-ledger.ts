import type { Actor } from '../domain/actor.ts';
import type { CatalogKey } from './records.ts';

export interface AuditEntry {
  readonly id: number;
  readonly at: number;
  readonly catalog?: CatalogKey;
  readonly actor: Actor;
  readonly action: string;
  readonly subject: string;
  readonly detail: Record<string, unknown>;
}

export interface AuditLedger {
  /** Oldest first, after an id. */
  page(query: {
    readonly catalog?: CatalogKey;
    readonly after?: number;
    readonly limit: number;
  }): Promise<readonly AuditEntry[]>;
}
