import type { z } from 'zod';
import { DecideAnswered } from '../../src/api/schemas/decision.ts';
import { type FindingView, StalePage } from '../../src/api/schemas/finding.ts';
import { RoundStarted } from '../../src/api/schemas/reconcile.ts';
import { RemovalPage } from '../../src/api/schemas/removal.ts';
import { RoundDetail } from '../../src/api/schemas/round.ts';
import { AuditPage } from '../../src/api/schemas/audit.ts';
import { ImportAnswer } from '../../src/api/schemas/control.ts';
import type { Secret } from '../../src/config/secret.ts';
import { openApi } from '../../src/main/api-client.ts';
import { catalogAddress } from '../../src/api/addresses.ts';
import { until } from '../support/until.ts';

/** Until a round that was begun before has ended. */
const joinedMs = 90_000;

/** What a person does with one catalog over the API. Calls are made anew each time: the process behind it may change. */
export function callsTo(api: () => string, metalake: string, catalog: string, token?: Secret) {
  const base = catalogAddress({ metalake, catalog });
  const calling = async <T>(call: (client: ReturnType<typeof openApi>) => Promise<T>): Promise<T> => {
    const client = openApi(api(), 'ada', token);
    try {
      return await call(client);
    } finally {
      await client.close();
    }
  };
  const get = <T>(address: string, answer: z.ZodType<T>) => calling((client) => client.get(address, answer));
  const post = <T>(address: string, answer: z.ZodType<T>, body?: unknown, headers: Record<string, string> = {}) =>
    calling(async (client) => (await client.post(address, answer, { body, headers })).body);

  /** A round of its own. One that is on record as published may still tidy up: it is joined, and began before this. */
  const startRound = async (): Promise<RoundStarted> => {
    let started: RoundStarted | undefined;
    const startsOne = async (): Promise<boolean> => {
      started = await post(`${base}/reconcile`, RoundStarted, {}, { prefer: 'wait=0' });
      return !started.joined;
    };
    await until(`a round of ${catalog} starts and joins no other`, joinedMs, startsOne, 100);
    if (started === undefined) throw new Error('no round was started');
    return started;
  };
  const round = (address: string): Promise<RoundDetail | undefined> => get(address, RoundDetail).catch(() => undefined);
  const endOf = async (address: string, withinMs: number): Promise<RoundDetail> => {
    let latest: RoundDetail | undefined;
    await until(
      'the round ends',
      withinMs,
      async () => {
        latest = await round(address);
        return latest !== undefined && latest.state !== 'running';
      },
      100,
    );
    if (latest === undefined) throw new Error('the round vanished');
    return latest;
  };
  return {
    import: () => post(`${base}/import`, ImportAnswer),
    startRound,
    roundAt: round,
    endOf,
    round: async (withinMs: number): Promise<RoundDetail> => endOf((await startRound()).round, withinMs),
    stale: async (): Promise<readonly FindingView[]> => (await get(`${base}/stale?limit=500`, StalePage)).findings,
    removals: async () => (await get(`${base}/removals?limit=500`, RemovalPage)).removals,
    approve: (findings: readonly FindingView[], key: string) =>
      post(
        `${base}/decisions`,
        DecideAnswered,
        { items: findings.map(({ id, digest }) => ({ findingId: id, digest, action: 'approve' })) },
        { 'idempotency-key': key },
      ),
    audit: async () => (await get('/api/audit?limit=500', AuditPage)).entries,
  };
}
