/** Where a metric is served: events by the process in which they happen, the ledger's standing by the API alone. */
export type ServedBy = 'api' | 'worker';

export interface MetricDeclaration<Label extends string = string> {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly name: string;
  /** What it tells, in a sentence. */
  readonly help: string;
  /** Each with a bounded number of values: never an id, never the name of an object. */
  readonly labels: readonly Label[];
  readonly servedBy: ServedBy;
  /** Upper bounds of a histogram, in its unit. */
  readonly buckets?: readonly number[];
}

function declare<Label extends string>(kind: MetricDeclaration['kind'], servedBy: ServedBy) {
  return (name: string, labels: readonly Label[], help: string, buckets?: readonly number[]) =>
    ({ kind, name, help, labels, servedBy, ...(buckets === undefined ? {} : { buckets }) }) as const;
}

const counted = <const L extends string>(name: string, labels: readonly L[], help: string) =>
  declare<L>('counter', 'worker')(name, labels, help);
const measured = <const L extends string>(
  name: string,
  labels: readonly L[],
  buckets: readonly number[],
  help: string,
) => declare<L>('histogram', 'worker')(name, labels, help, buckets);
const standing = <const L extends string>(name: string, labels: readonly L[], help: string) =>
  declare<L>('gauge', 'api')(name, labels, help);

// a round on PostgreSQL takes seconds, one that asks a slow metastore object by object an hour
const roundSeconds = [1, 5, 15, 60, 300, 900, 3_600, 14_400];
// five hundred questions to PostgreSQL take ten milliseconds; a call is given up after half a minute
const callSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const batchSizes = [1, 10, 50, 100, 250, 500, 1_000];
// long waits are what it is for: no worker, or one that is full
const waitSeconds = [0.01, 0.05, 0.25, 1, 5, 15, 60, 300, 1_800];
// a request that waits for a round is answered after five minutes at the latest
const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300];

/** Every metric of our own. The page docs/metrics.md, dashboard and alerts are held against this. */
export const metricDeclarations = {
  rounds: counted(
    'reconciler_rounds_total',
    ['catalog', 'end'],
    'Rounds and dry scans that ended, by how: published, scanned, unreachable, incomplete, failed, source-changed, cancelled.',
  ),
  roundDuration: measured(
    'reconciler_round_duration_seconds',
    ['catalog', 'end'],
    roundSeconds,
    'Time from the opening of a round to its end.',
  ),
  removals: counted(
    'reconciler_removals_total',
    ['catalog', 'action', 'outcome'],
    'Removals and re-pointings that came to an end, by outcome. Its rate is the pace that is really kept.',
  ),
  removedRegistrations: counted(
    'reconciler_removed_registrations_total',
    ['catalog'],
    'Registrations that were removed, those inside a container included.',
  ),
  probeDuration: measured(
    'reconciler_probe_duration_seconds',
    ['source', 'end'],
    callSeconds,
    'Time of one call to a source with its questions, by kind of source and end: answered, failed, cancelled.',
  ),
  probeBatch: measured(
    'reconciler_probe_batch_objects',
    ['source'],
    batchSizes,
    'Questions in one call to a source, controls not counted.',
  ),
  queueWait: measured(
    'reconciler_queue_wait_seconds',
    ['queue', 'activity'],
    waitSeconds,
    'Time that a step of a round or of a review waited in its Temporal queue for a worker.',
  ),
  requestDuration: {
    ...measured(
      'reconciler_http_request_duration_seconds',
      ['method', 'route', 'status'],
      requestSeconds,
      'Time to answer a request, by route as declared; waiting for a round is part of it.',
    ),
    servedBy: 'api',
  },
  ledgerUp: standing(
    'reconciler_ledger_up',
    [],
    '1 where the ledger answered this process; the rest of the standing is missing otherwise.',
  ),
  catalogState: standing(
    'reconciler_catalog_state',
    ['catalog', 'state'],
    '1 for the state after the latest round: never-scanned, ok, unreachable, incomplete, failed, source-changed.',
  ),
  catalogBarred: standing(
    'reconciler_catalog_barred',
    ['catalog', 'by'],
    '1 while removals are barred: hold (the guard held the round), pause (a person), stop (the removal loop itself).',
  ),
  publishedAt: standing(
    'reconciler_round_published_timestamp_seconds',
    ['catalog'],
    'When the last round was published, as Unix time; missing where none ever was.',
  ),
  roundInterval: standing(
    'reconciler_round_interval_seconds',
    ['catalog'],
    'The gap between two scheduled rounds, the shortest one under cron; missing where the schedule is not enabled.',
  ),
  verdicts: standing(
    'reconciler_verdicts',
    ['catalog', 'verdict'],
    'Registrations by verdict of the published round: present, absent, replaced, renamed, copied, unknown.',
  ),
  findingsOpen: standing(
    'reconciler_findings_open',
    ['catalog', 'age'],
    'Open findings that nobody rejected, each in one bucket by its age: younger than 1d, than 7d, than 30d, or older (inf).',
  ),
  findingsDue: standing('reconciler_findings_due', ['catalog'], 'Of these, the ones that auto-remove may act on.'),
  decisionsWaiting: standing(
    'reconciler_decisions_waiting',
    ['catalog', 'action'],
    'Approvals and re-pointings in force that are not carried out yet.',
  ),
  oldestDecision: standing(
    'reconciler_decision_wait_seconds',
    ['catalog'],
    'How long the oldest of these has been waiting; 0 where none is.',
  ),
  oldestIntent: standing(
    'reconciler_intent_open_seconds',
    ['catalog'],
    'How long a removal has been under way without a known outcome; 0 where none is.',
  ),
  paceConfigured: standing(
    'reconciler_pace_configured_removals_per_second',
    ['catalog'],
    'Removals a second that the policy in effect allows in the long run.',
  ),
} as const satisfies Record<string, MetricDeclaration>;

export type MetricKey = keyof typeof metricDeclarations;
