import type { CommitCoordinator, TableUnitOfWork, UpdateTableSpec } from '../backend.ts';
import type { Arbitration, CommitRequest } from '../commits/commit-log.ts';
import { ofAnother } from '../commits/arbitrate.ts';
import { ownCoordinator } from '../commits/own-coordinator.ts';
import { checkCommit } from '../commits/read-commit.ts';
import { isSameContent } from '../commits/same-content.ts';
import { DeltaError, TableBusy } from '../delta-error.ts';
import { withLastUpdate } from '../rules/last-update.ts';
import { type ServableTable, servable } from '../rules/servable.ts';
import { checkUniformAtCommit } from '../rules/uniform.ts';
import type { ResolvedTable, TableRef } from '../table.ts';
import { invalid, required } from '../wire/fields.ts';
import type { JsonObject } from '../wire/json.ts';
import { etagOf, tableAnswer } from '../wire/table-answer.ts';
import { type UpdateRequest, type Updates, readUpdateTable } from '../wire/update-request.ts';
import { type UpdatedTable, applyUpdates } from './apply-updates.ts';
import type { Operation, ReadBody } from './context.ts';

/** Units that run again because a version got an owner in spite of the lock; each of them finds the owner then. */
const attempts = 3;

/** Metadata and commit of one request, together or not at all. */
export async function updateTable<Cx>(
  operation: Operation<Cx>,
  ref: TableRef,
  body: ReadBody,
  cx: Cx,
): Promise<JsonObject> {
  const { backend } = operation;
  await backend.authorize({ kind: 'WriteTable', table: ref }, cx);
  const request = readUpdateTable(body());
  const commits = request.updates['add-commit'] !== undefined;
  try {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await backend
        .withTableUnitOfWork(ref, cx, (unit) => update(operation, unit, request, cx))
        .catch((error) => {
          if (error instanceof VersionTaken && attempt < attempts) return undefined;
          throw error;
        });
      if (answer !== undefined) return answer;
    }
  } catch (error) {
    throw outcome(error, commits);
  }
}

/** Thrown to undo a unit whose commit was accepted, and then found an owner of its version. */
class VersionTaken extends Error {
  override readonly name = 'VersionTaken';
}

async function update<Cx>(
  operation: Operation<Cx>,
  unit: TableUnitOfWork,
  request: UpdateRequest,
  cx: Cx,
): Promise<JsonObject> {
  const { backend, options } = operation;
  const { updates } = request;
  const table = servable(unit.table);
  if (table.tableId.toLowerCase() !== request.tableId) {
    throw conflict(`assert-table-uuid failed: the table's id is ${table.tableId}.`);
  }
  const coordinator = backend.commitCoordinator?.() ?? ownCoordinator(options.arbitration);
  // a resent commit is answered before anything beside it is looked at: that has taken effect long ago, or never will
  const commit = managedCommit(table, updates);
  const decision = commit && (await decide(operation, coordinator, unit, commit, cx));
  if (decision?.kind === 'replay') return answerOf(coordinator, unit, table);
  const updated = applyUpdates(table, updates, options.strictManagedProperties);
  checkKind(table, updates);
  const change = accepted(decision);
  const uniform = uniformAfter(table, updates, updated, commit);
  if (request.etag !== undefined && request.etag !== etagOf(table)) {
    throw conflict(`assert-etag failed: the table's etag is ${etagOf(table)}.`);
  }
  if (change !== undefined && !(await coordinator.apply(unit, change))) throw new VersionTaken();
  const spec = { ...specOf(table, updated, commit), ...uniform };
  const written = updated.metadataChanged || updated.propertiesChanged || 'uniform' in spec;
  return answerOf(coordinator, unit, written ? await unit.updateTableRow(spec) : table);
}

/** What is wanted of the log; absent where nothing is, and for an EXTERNAL table, which has none. */
function managedCommit({ tableType }: ServableTable, updates: Updates): CommitRequest | undefined {
  const { 'add-commit': add, 'set-latest-backfilled-version': backfill } = updates;
  if (tableType !== 'MANAGED' || (add === undefined && backfill === undefined)) return undefined;
  const backfilledTo = backfill && required(backfill.version, 'set-latest-backfilled-version.latest-published-version');
  return {
    ...(add === undefined ? {} : { commit: checkCommit(required(add.commit, 'add-commit.commit')) }),
    ...(backfilledTo === undefined ? {} : { backfilledTo }),
  };
}

async function decide<Cx>(
  { backend }: Operation<Cx>,
  coordinator: CommitCoordinator,
  unit: TableUnitOfWork,
  request: CommitRequest,
  cx: Cx,
): Promise<Arbitration> {
  const decision = await coordinator.decide(unit, request);
  if (decision.kind !== 'content-check') return decision;
  return (await isSameContent(backend, unit, decision, cx)) ? { kind: 'replay' } : ofAnother(decision.version);
}

/** The change of an accepted decision; throws what any other one means. */
function accepted(decision: Arbitration | undefined) {
  switch (decision?.kind) {
    case undefined:
      return undefined;
    case 'accepted':
      return decision.change;
    case 'conflict':
      throw new DeltaError('CommitVersionConflict', decision.message);
    case 'exhausted':
      throw new DeltaError('ResourceExhausted', decision.message);
    case 'invalid':
      throw invalid(decision.message);
    case 'replay':
    case 'content-check':
      throw new DeltaError('Internal', 'A commit was decided twice.');
  }
}

function checkKind({ tableType }: ServableTable, updates: Updates): void {
  if (tableType === 'MANAGED') return;
  for (const action of ['add-commit', 'set-latest-backfilled-version'] as const) {
    if (updates[action] !== undefined) throw invalid(`${action} is for MANAGED tables only.`);
  }
}

/** What the row's UniForm block becomes: it comes, and goes, with commits only. */
function uniformAfter(
  { location, uniform: stored }: ServableTable,
  updates: Updates,
  { properties }: UpdatedTable,
  request: CommitRequest | undefined,
): Pick<UpdateTableSpec, 'uniform'> {
  if (request?.commit === undefined) return {};
  const uniform = updates['add-commit']?.uniform;
  const { version } = request.commit;
  checkUniformAtCommit(uniform, properties, {
    location,
    version,
    ...(stored === undefined ? {} : { uniform: stored }),
  });
  if (uniform !== undefined) return { uniform };
  return stored === undefined ? {} : { uniform: null };
}

function specOf(table: ServableTable, updated: UpdatedTable, request: CommitRequest | undefined): UpdateTableSpec {
  const { columns, comment, metadataChanged } = updated;
  const commit = metadataChanged ? request?.commit : undefined;
  return {
    tableId: table.tableId,
    columns,
    properties: commit === undefined ? updated.properties : withLastUpdate(updated.properties, commit),
    ...(comment === undefined ? {} : { comment }),
    metadataChanged,
    expectedMetadataVersion: table.metadataVersion,
  };
}

async function answerOf(
  coordinator: CommitCoordinator,
  unit: TableUnitOfWork,
  table: ResolvedTable,
): Promise<JsonObject> {
  const after = servable(table);
  return tableAnswer(after, after.tableType === 'MANAGED' ? await coordinator.tracked(unit) : []);
}

function conflict(message: string): DeltaError {
  return new DeltaError('UpdateRequirementConflict', message);
}

/** What a failure means to the writer: a commit whose fate is open is sent again, anything else is looked at anew. */
function outcome(error: unknown, commits: boolean): unknown {
  if (error instanceof TableBusy || error instanceof VersionTaken) {
    const message = 'The table is busy with other writers; nothing was changed. Send the request again.';
    return new DeltaError(commits ? 'CommitStateUnknown' : 'UpdateRequirementConflict', message, { cause: error });
  }
  if (error instanceof DeltaError && error.failure === 'CommitStateUnknown' && !commits) {
    return new DeltaError('Internal', 'Whether the update took effect cannot be told. Load the table.', {
      cause: error,
    });
  }
  return error;
}
