import { type Path, pathText } from '../../../domain/path.ts';
import type { EntityKind } from '../../../domain/registration.ts';
import { withCatalogLocked } from '../catalog-row.ts';
import { failureOf } from '../database-failure.ts';
import type { EmbeddedDatabase } from '../database.ts';
import { type Target, findRegistration } from '../entity-rows.ts';
import { type EntityEvent, type EntityEventType, recordEvents } from '../event-record.ts';
import { longestPathKey } from '../names.ts';
import { RegistryRefusal } from '../refusal.ts';
import { type Affected, type CatalogDispatcher, type Within, joinedBy } from './dispatcher.ts';

interface EventLinkDeps {
  readonly db: EmbeddedDatabase;
  readonly metalake: string;
  readonly now: () => number;
}

type Who = { readonly catalog: string; readonly actor: string };

/** What an operation was tried on, as far as its command tells. */
interface Tried {
  readonly catalog: string;
  readonly actor: string;
  readonly type: EntityEventType;
  readonly target: Target;
  readonly entityId?: string;
}

/**
 * The outermost link: one event per affected entity with its actor, committed together with the operation; and one for
 * what was tried, with the reason, where the operation fails.
 */
export function eventLink(deps: EventLinkDeps, next: CatalogDispatcher): CatalogDispatcher {
  const ok =
    (type: EntityEventType, { catalog, actor }: Who): Within =>
    async (tx, affected) =>
      recordEvents(
        tx,
        { metalake: deps.metalake, catalog, actor, at: deps.now() },
        affected.map((entity) => succeeded(type, entity)),
      );

  /** Silent when even this fails: the first failure is the one to tell. */
  async function recordFailure({ catalog, actor, type, target, entityId }: Tried, reason: string): Promise<void> {
    const name = { metalake: deps.metalake, catalog };
    await withCatalogLocked(deps.db, name, async (tx, row) => {
      const tried = target.by === 'path' ? target : await findRegistration(tx, row, target);
      if (tried === undefined) return;
      const id = target.by === 'id' ? target.id : entityId;
      const pathKey = pathText(tried.path).slice(0, longestPathKey);
      const event: EntityEvent = { type, outcome: 'failed', reason, kind: tried.kind, pathKey };
      await recordEvents(tx, { ...name, actor, at: deps.now() }, [
        id === undefined ? event : { ...event, entityId: id },
      ]);
    }).catch(() => undefined);
  }

  async function watched<T>(tried: Tried, operation: () => Promise<T>): Promise<T> {
    try {
      return await operation();
    } catch (error) {
      const reason = reasonOf(error);
      // Where nothing is registered under the name, no entity was affected.
      if (reason !== 'not-found') await recordFailure(tried, reason);
      throw error;
    }
  }

  return {
    create: (command) =>
      watched(tried('created', command, named(command)), () => next.create(joinedBy(command, ok('created', command)))),
    // What an import cannot take is counted there; it is nothing that a person tried to do to one entity.
    importAll: (command) => next.importAll(joinedBy(command, ok('created', command))),
    rename: (command) =>
      watched(tried('renamed', command, command.target), () => {
        const told = joinedBy(command, ok('renamed', command));
        if (command.change === undefined) return next.rename(told);
        const altered = ok('altered', command);
        // what moved along was not altered
        return next.rename(joinedBy(told, (tx, [renamed]) => altered(tx, renamed === undefined ? [] : [renamed])));
      }),
    alter: (command) =>
      watched(tried('altered', command, command.target), () => next.alter(joinedBy(command, ok('altered', command)))),
    // A write that comes second is answered so and tried anew, all day long: no event tells of it.
    write: (command, work) => next.write(joinedBy(command, ok('altered', command)), work),
    drop: (command) =>
      watched(tried('removed', command, command.target), () => next.drop(joinedBy(command, ok('removed', command)))),
    repoint: async (command) => {
      const what: Tried = { ...tried('renamed', command, named(command)), entityId: command.id };
      const answer = await watched(what, () => next.repoint(joinedBy(command, ok('renamed', command))));
      if (answer.outcome === 'changed' || answer.outcome === 'refused') {
        await recordFailure(what, `${answer.outcome}: ${answer.reason}`);
      }
      return answer;
    },
    restore: async (command) => {
      const [outermost] = command.entities;
      if (outermost === undefined) return next.restore(command);
      const what: Tried = { ...tried('created', command, named(outermost)), entityId: outermost.id };
      return watched(what, () => next.restore(joinedBy(command, ok('created', command))));
    },
    remove: async (command) => {
      const what: Tried = { ...tried('removed', command, named(command)), entityId: command.id };
      const answer = await watched(what, () => next.remove(joinedBy(command, ok('removed', command))));
      // Gone already is nobody's failure, and whoever took it told the event.
      if (answer.outcome !== 'removed' && answer.outcome !== 'already-gone') {
        await recordFailure(what, `${answer.outcome}: ${answer.reason}`);
      }
      return answer;
    },
  };
}

function tried(type: EntityEventType, { catalog, actor }: Who, target: Target): Tried {
  return { catalog, actor, type, target };
}

function named({ kind, path }: { readonly kind: EntityKind; readonly path: Path }): Target {
  return { by: 'path', kind, path };
}

function succeeded(type: EntityEventType, { id, kind, path, fromPath }: Affected): EntityEvent {
  return {
    type,
    outcome: 'ok',
    entityId: id,
    kind,
    pathKey: pathText(path),
    ...(fromPath === undefined ? {} : { fromPathKey: pathText(fromPath) }),
  };
}

function reasonOf(error: unknown): string {
  const failure = failureOf(error);
  if (failure instanceof RegistryRefusal) return failure.reason;
  return 'code' in failure && typeof failure.code === 'string' ? failure.code : failure.name;
}
