import type { Connection } from '@temporalio/client';

/** Numbers of `temporal.api.enums.v1.TaskQueueType`. */
const kinds = { workflow: 1, activity: 2 } as const;

export type TaskKind = keyof typeof kinds;

/** Somebody who takes tasks from a queue. */
export interface Poller {
  readonly identity: string;
  /** Unix milliseconds. */
  readonly lastPollAt: number | undefined;
}

/** Who asked a queue for tasks of one kind within the last minutes. */
export async function pollersOf(
  service: Pick<Connection['workflowService'], 'describeTaskQueue'>,
  namespace: string,
  queue: string,
  kind: TaskKind,
): Promise<readonly Poller[]> {
  const request = { namespace, taskQueue: { name: queue }, taskQueueType: kinds[kind] };
  const { pollers } = await service.describeTaskQueue(request);
  return (pollers ?? []).map(({ identity, lastAccessTime }) => {
    const seconds = lastAccessTime?.seconds ?? undefined;
    return { identity: identity ?? '', lastPollAt: seconds === undefined ? undefined : Number(seconds) * 1_000 };
  });
}
