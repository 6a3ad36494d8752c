import { and, asc, eq, gt, sql } from 'drizzle-orm';
import { type Path, parsePathText } from '../../domain/path.ts';
import type { EntityKind } from '../../domain/registration.ts';
import { type EmbeddedDatabase, asJson, inParts } from './database.ts';
import { events } from './schema.ts';

export type EntityEventType = 'created' | 'altered' | 'renamed' | 'removed';

/** One thing that happened, or was tried, to one entity. */
export interface EntityEvent {
  readonly type: EntityEventType;
  readonly outcome: 'ok' | 'failed';
  /** Why it failed: a closed code, never free text. */
  readonly reason?: string;
  readonly entityId?: string;
  readonly kind: EntityKind | 'catalog';
  readonly pathKey: string;
  /** Where it was before, for a rename. */
  readonly fromPathKey?: string;
}

/** What all events of one operation have in common. */
export interface EventOrigin {
  readonly metalake: string;
  readonly catalog: string;
  readonly actor: string;
  readonly at: number;
}

/** Puts events into the outbox, in the transaction that they tell of. */
export async function recordEvents(
  tx: EmbeddedDatabase,
  origin: EventOrigin,
  told: readonly EntityEvent[],
): Promise<void> {
  const { metalake, catalog, actor, at } = origin;
  for (const part of inParts(told)) {
    await tx.execute(sql`
      insert into ${events}
        (at, metalake, catalog, actor, type, outcome, reason, entity_id, kind, path_key, from_path_key)
      select ${at}::bigint, ${metalake}, ${catalog}, ${actor},
        e."type", e."outcome", e."reason", e."entityId", e."kind", e."pathKey", e."fromPathKey"
      from jsonb_to_recordset(${asJson(part)}) as e(
        "type" text, "outcome" text, "reason" text, "entityId" text, "kind" text, "pathKey" text, "fromPathKey" text)`);
  }
}

/** An event as it is read back. `seq` grows within a catalog: its events are written under the catalog's lock. */
export interface RecordedEvent extends Omit<EntityEvent, 'pathKey' | 'fromPathKey'>, EventOrigin {
  readonly seq: number;
  /** Empty for an event of the catalog itself. */
  readonly path: readonly string[];
  readonly fromPath?: Path;
}

/** Events of one catalog in the order in which they happened. */
export async function eventsAfter(
  db: EmbeddedDatabase,
  of: { readonly metalake: string; readonly catalog: string },
  after: number,
  limit: number,
): Promise<readonly RecordedEvent[]> {
  const rows = await db
    .select()
    .from(events)
    .where(and(eq(events.metalake, of.metalake), eq(events.catalog, of.catalog), gt(events.seq, after)))
    .orderBy(asc(events.seq))
    .limit(limit);
  return rows.map(({ pathKey, fromPathKey, reason, entityId, ...row }) => {
    const fromPath = fromPathKey === null ? undefined : parsePathText(fromPathKey);
    return {
      ...row,
      path: pathKey === '' ? [] : (parsePathText(pathKey) ?? [pathKey]),
      ...(reason === null ? {} : { reason }),
      ...(entityId === null ? {} : { entityId }),
      ...(fromPath === undefined ? {} : { fromPath }),
    };
  });
}
