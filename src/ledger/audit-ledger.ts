import type { Actor } from '../domain/actor.ts';
import type { CatalogKey } from './records.ts';

export interface AuditEntry {
  /** Its place in the feed. */
  readonly id: number;
  readonly at: number;
  readonly catalog?: CatalogKey;
  readonly actor: Actor;
  readonly action: string;
  readonly subject: string;
  readonly detail: Record<string, unknown>;
}

export interface AuditLedger {
  /** Writes down what happened outside of the ledger. */
  note(entry: Omit<AuditEntry, 'id'>): Promise<void>;
  /**
   * In the order of the feed, after an entry's id: that in which entries were committed, so that whoever goes on after
   * the last one that he saw misses none, however many write at the same time.
   */
  page(query: {
    readonly catalog?: CatalogKey;
    readonly after?: number;
    readonly limit: number;
  }): Promise<readonly AuditEntry[]>;
  /** The same from its end: newest first, before an entry's id. For people who want to know what happened last. */
  latest(query: {
    readonly catalog?: CatalogKey;
    readonly before?: number;
    readonly limit: number;
  }): Promise<readonly AuditEntry[]>;
}
