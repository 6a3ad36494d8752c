import { type Figure, figure } from './figure.ts';
import type { Workshop } from './workshop.ts';

/** What a round of 100,000 registrations leaves in Temporal, when there is something to report as well. */
export async function measureHistory(workshop: Workshop): Promise<readonly Figure[]> {
  const { postgres, large } = await workshop.estate();
  const product = await workshop.product();
  // More than the samples that a round carries through its history.
  const drops = Array.from({ length: 200 }, (_, table) => `drop table s0.t${table}`);
  await postgres.sql(drops.join(';'), 'large');
  await product.round(large); // to get warm
  const { workflowId, roundId } = await product.round(large);
  const history = await product.client.workflow.getHandle(workflowId, roundId).fetchHistory();
  const events = history.events?.length ?? 0;
  const payload = largestPayload(history);
  workshop.tell(`${events} events, largest payload ${payload} bytes`);
  return [
    figure('Temporal events of a round of 100,000', events, 'events', 2_000),
    figure('largest payload in its history', payload / 1_024, 'KiB', 256),
  ];
}

/** Payloads are wherever a value was handed over: in inputs, results, failures, memos and attributes. */
function largestPayload(value: unknown): number {
  if (value instanceof Uint8Array) return value.byteLength;
  if (typeof value !== 'object' || value === null) return 0;
  return Math.max(0, ...Object.values(value).map(largestPayload));
}
