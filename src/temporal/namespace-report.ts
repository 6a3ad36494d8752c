import { Connection } from '@temporalio/client';
import { reconcileQueue, removalsQueue } from '../contract/names.ts';
import { attributeStates, type AttributeState } from './dev-server/search-attributes.ts';
import { channelArgs, namespaceOf, type TemporalSettings } from './connection.ts';
import { type Poller, pollersOf, type TaskKind } from './task-queue.ts';
import { wantedSearchAttributes } from './search-attributes.ts';

/** Who takes tasks of one kind from a queue. */
export interface QueueReport {
  readonly queue: string;
  readonly kind: TaskKind;
  readonly pollers: readonly Poller[];
}

/** A part of the report, or why it could not be had: rights differ from call to call. */
export type Answered<T> = { readonly value: T } | { readonly error: unknown };

export interface NamespaceReport {
  readonly serverVersion: string;
  readonly namespace: Answered<{ readonly registered: boolean; readonly retentionMs: number | undefined }>;
  readonly searchAttributes: Answered<readonly AttributeState[]>;
  readonly queues: Answered<readonly QueueReport[]>;
}

/** A number of `temporal.api.enums.v1.NamespaceState`. */
const registered = 1;

/** Removals are activities alone; their queue has no workflow. */
const polled = [
  [reconcileQueue, 'workflow'],
  [reconcileQueue, 'activity'],
  [removalsQueue, 'activity'],
] as const;

/** Looks at the server and our namespace, and changes nothing. Rejects where the server does not answer in time. */
export async function reportNamespace(settings: TemporalSettings, withinMs: number): Promise<NamespaceReport> {
  const namespace = namespaceOf(settings);
  const deadline = Date.now() + withinMs;
  const { connectionOptions } = settings;
  const connection = await Connection.connect({
    ...connectionOptions,
    ...channelArgs(connectionOptions.address),
    connectTimeout: withinMs,
  });
  try {
    return await connection.withDeadline(deadline, async () => {
      const { serverVersion } = await connection.workflowService.getSystemInfo({});
      const [described, searchAttributes, queues] = await Promise.all([
        answered(async () => {
          const { namespaceInfo, config } = await connection.workflowService.describeNamespace({ namespace });
          const seconds = config?.workflowExecutionRetentionTtl?.seconds;
          return {
            registered: namespaceInfo?.state === registered,
            retentionMs: seconds === undefined || seconds === null ? undefined : Number(seconds) * 1_000,
          };
        }),
        answered(() => attributeStates(connection, namespace, wantedSearchAttributes)),
        answered(() =>
          Promise.all(
            polled.map(async ([queue, kind]) => {
              const pollers = await pollersOf(connection.workflowService, namespace, queue, kind);
              return { queue, kind, pollers };
            }),
          ),
        ),
      ]);
      return { serverVersion: serverVersion ?? 'unknown', namespace: described, searchAttributes, queues };
    });
  } finally {
    await connection.close();
  }
}

async function answered<T>(ask: () => Promise<T>): Promise<Answered<T>> {
  try {
    return { value: await ask() };
  } catch (error) {
    return { error };
  }
}
