import pLimit from 'p-limit';
import { pathText } from '../../../domain/path.ts';
import type { Registration } from '../../../domain/registration.ts';
import type { RemoveAnswer } from '../../registry.ts';
import { type CatalogRow, requireCatalog, withCatalogLocked } from '../catalog-row.ts';
import { type RemoveCommand, runParts } from '../chain/dispatcher.ts';
import type { EmbeddedDatabase } from '../database.ts';
import { findInside, findRegistration } from '../entity-rows.ts';
import { deleteEntities } from './delete-entities.ts';
import type { OperationDeps } from './operation-deps.ts';
import { type Going, compareWithJudged } from './removal-precondition.ts';

/** Questions to the source at a time: what a source of one question per call is asked in a round, too. */
const probesInFlight = 16;

/**
 * The reconciler's removal. Compares with what was judged, asks the source about everything that would go, outside any
 * transaction; then, in one short transaction under the catalog's lock, compares once more and deletes. Whatever changed
 * while the source was asked has changed a version or the set inside, and is seen by the second comparison.
 */
export async function removeRegistration(deps: OperationDeps, command: RemoveCommand): Promise<RemoveAnswer> {
  const name = { metalake: deps.metalake, catalog: command.catalog };
  if (isLate(deps, command)) return late;
  const before = await judgedStill(deps.db, await requireCatalog(deps.db, name), command);
  if ('outcome' in before) return before;
  const alive = await stillThere(deps, command.catalog, before.going);
  if (alive !== undefined) return alive;

  return withCatalogLocked(deps.db, name, async (tx, catalog) => {
    // Looked at again here, since the lock and the source may have taken their time.
    if (isLate(deps, command)) return late;
    const now = await judgedStill(tx, catalog, command);
    if ('outcome' in now) return now;
    await runParts(tx, command, now.going);
    const { actor: by, intentId } = command;
    await deleteEntities(tx, catalog, now.going, { by, at: deps.now(), intentId });
    return { outcome: 'removed', entities: now.going.length };
  });
}

const late: RemoveAnswer = { outcome: 'refused', reason: 'too-late' };

function isLate(deps: OperationDeps, command: RemoveCommand): boolean {
  return deps.now() > command.notAfter;
}

async function judgedStill(
  db: EmbeddedDatabase,
  catalog: CatalogRow,
  command: RemoveCommand,
): Promise<Going | RemoveAnswer> {
  const found = await findRegistration(db, catalog, { by: 'id', id: command.id });
  const inside = found?.kind === 'schema' ? await findInside(db, catalog, found.path) : [];
  return compareWithJudged(command, found, inside);
}

/**
 * Asks about the container first, since it settles most cases, and then about all inside: not every source's missing
 * container means missing contents.
 */
async function stillThere(
  deps: OperationDeps,
  catalog: string,
  [outermost, ...inside]: Going['going'],
): Promise<RemoveAnswer | undefined> {
  let obstacle: RemoveAnswer | undefined;
  const ask = async (registration: Registration) => {
    if (obstacle !== undefined) return;
    const answer = await deps.stillExists(catalog, registration).catch(() => 'unknown' as const);
    if (answer === 'present') obstacle = { outcome: 'present', reason: pathText(registration.path) };
    else if (answer !== 'absent') obstacle ??= { outcome: 'refused', reason: 'source-unknown' };
  };
  await ask(outermost);
  const limit = pLimit(probesInFlight);
  await Promise.all(inside.map((registration) => limit(() => ask(registration))));
  return obstacle;
}
