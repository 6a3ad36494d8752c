import { ScheduleAlreadyRunning, type ScheduleClient, ScheduleNotFoundError } from '@temporalio/client';
import { type CatalogName, parseId, searchAttributes, workflowTypes } from '../contract/names.ts';
import { inBatches } from './batches.ts';
import type { Wanted } from './desired.ts';
import { type Change, diffSchedules, isPausedByUs } from './diff.ts';
import { digestOf, scheduleOptions } from './schedule-options.ts';
import { compareSchedules, type Running, type ShownSchedule } from './show.ts';

/** What became of one schedule. */
export interface Applied {
  readonly scheduleId: string;
  readonly name: CatalogName;
  readonly change: Change['kind'];
  /** Why the change was not made; the others were. */
  readonly failure?: string;
}

/**
 * Makes the schedules of the namespace what they should be: creates, updates, pauses those no longer wanted, and never
 * touches one that is as it should be. An operator's pause and note stay. Throws where the server cannot be asked; a
 * change that fails is in the answer and does not stop the others.
 */
export async function applySchedules(client: ScheduleClient, wanted: readonly Wanted[]): Promise<readonly Applied[]> {
  const changes = diffSchedules(wanted, await readSchedules(client, wanted));
  return inBatches(changes, callsAtOnce, async (change) => {
    const { scheduleId, name, kind } = change;
    try {
      await soon(client, () => make(client, change));
      return { scheduleId, name, change: kind };
    } catch (error) {
      return { scheduleId, name, change: kind, failure: reasonOf(error) };
    }
  });
}

/** What there is beside what there should be. Changes nothing. */
export async function showSchedules(
  client: ScheduleClient,
  wanted: readonly Wanted[],
): Promise<readonly ShownSchedule[]> {
  return compareSchedules(wanted, await readSchedules(client, wanted));
}

/** The list only finds those that nobody wants any more: it lags behind, so each one is then asked for by its id. */
async function readSchedules(client: ScheduleClient, wanted: readonly Wanted[]): Promise<readonly Running[]> {
  const ids = new Set(wanted.map(({ scheduleId }) => scheduleId));
  await soon(client, async () => {
    for await (const { scheduleId } of client.list({ query: `${searchAttributes.catalogId.name} IS NOT NULL` })) {
      if (parseId(scheduleId)?.kind === 'reconcile') ids.add(scheduleId);
    }
  });
  const found = await inBatches([...ids], callsAtOnce, (id) => soon(client, () => readSchedule(client, id)));
  return found.filter((schedule) => schedule !== undefined);
}

async function readSchedule(client: ScheduleClient, scheduleId: string): Promise<Running | undefined> {
  try {
    const { action, state, info } = await client.getHandle(scheduleId).describe();
    const name = parseId(scheduleId);
    // an id of our form may still be somebody else's schedule
    if (name === undefined || action.workflowType !== workflowTypes.roundTick) return undefined;
    const digest = digestOf(action.memo);
    const last = info.recentActions.at(-1)?.scheduledAt.getTime();
    return {
      scheduleId,
      name: { metalake: name.metalake, catalog: name.catalog },
      ...(digest === undefined ? {} : { digest }),
      paused: state.paused,
      ...(state.note ? { note: state.note } : {}),
      next: info.nextActionTimes.map((time) => time.getTime()),
      ...(last === undefined ? {} : { last }),
      missed: info.numActionsMissedCatchupWindow,
    };
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return undefined;
    throw error;
  }
}

async function make(client: ScheduleClient, change: Change): Promise<void> {
  const handle = client.getHandle(change.scheduleId);
  switch (change.kind) {
    case 'create':
      try {
        await client.create({ scheduleId: change.scheduleId, ...scheduleOptions(change.wanted) });
      } catch (error) {
        if (!(error instanceof ScheduleAlreadyRunning)) throw error;
        // whoever applied a moment earlier did it for us; somebody else's schedule is another matter
        if ((await readSchedule(client, change.scheduleId)) === undefined) throw error;
      }
      return;
    case 'update':
      await handle.update(({ state }) => ({
        ...scheduleOptions(change.wanted),
        // as it is now, not as it was read: an operator may have paused it since
        state: isPausedByUs(state) ? { ...state, paused: false, note: '' } : state,
      }));
      return;
    case 'pause':
      return handle.pause(change.note);
    case 'resume':
      return handle.unpause(change.note);
    case 'keep':
      return;
  }
}

/** Every call ends in time, the server being there or not. */
function soon<T>(client: ScheduleClient, call: () => Promise<T>): Promise<T> {
  return client.withDeadline(Date.now() + callTimeoutMs, call);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
}

const callTimeoutMs = 10_000; // an answer takes milliseconds; whoever waits longer wants to hear that it fails
const callsAtOnce = 16; // a thousand catalogs in about a second, and no flood
