import { type Logger, pino } from 'pino';
import { expect } from 'vitest';
import { buildApi } from '../../src/api/app.ts';
import type { ApiDeps } from '../../src/api/deps.ts';
import { patternProblem } from '../../src/config/patterns.ts';
import type { ApiServer } from '../../src/api/server.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { key, t0 } from '../ledger/seed.ts';
import { openTestLedger, type TestLedger } from '../support/ledger.ts';
import { FakeGateway } from './fake-gateway.ts';
import { FakeRegistry } from './fake-registry.ts';

export { key, t0 };
/** Where everything of the catalog `lake/shop` is. */
export const shopAddress = '/api/metalakes/lake/catalogs/shop';

/** The API over a real ledger, with a gateway and registries that tests pull the strings of. */
export interface ApiHouse {
  readonly at: TestLedger;
  readonly app: ApiServer;
  readonly gateway: FakeGateway;
  /** The registry of metalake `lake`; `pond` has one with a catalog `shop` too. */
  readonly lake: FakeRegistry;
  readonly imports: { readonly catalog: string; readonly actor: string }[];
  /** Log lines, from WARN on. */
  readonly logged: () => readonly Record<string, unknown>[];
  now: number;
  close(): Promise<void>;
}

export interface HouseOptions
  extends Partial<
    Pick<
      ApiDeps,
      | 'delta'
      | 'unity'
      | 'importCatalog'
      | 'registryRoutes'
      | 'leaving'
      | 'metrics'
      | 'authenticator'
      | 'ownersOf'
      | 'tls'
      | 'limits'
      | 'eventTimes'
    >
  > {
  readonly loopbackOnly?: boolean;
  /** Replaces parts of the ledger, where a test needs it to fail. */
  readonly ledger?: (ledger: Ledger) => Ledger;
}

export async function openHouse(at: TestLedger, options: HouseOptions = {}): Promise<ApiHouse> {
  const { ledger = (real) => real, ...over } = options;
  const lines: string[] = [];
  const imports: { catalog: string; actor: string }[] = [];
  const house = { now: t0 };
  const clock = () => house.now;
  const lake = new FakeRegistry(['shop', 'empty']);
  const pond = new FakeRegistry(['shop']);
  const gateway = new FakeGateway(at.ledger, clock);
  const app = await buildApi({
    ledger: ledger(at.ledger),
    gateway,
    metalakes: () => ['lake', 'pond'],
    registries: (metalake) => ({ lake, pond })[metalake],
    importCatalog: async ({ catalog }, actor) => {
      imports.push({ catalog, actor: actor.name });
      return { added: 3, existing: 2, skipped: 1 };
    },
    patternProblem,
    ownersOf: async () => [],
    limits: { requestsPerMinute: 100_000, requestsInFlight: 100 },
    clock,
    logger: logger(lines),
    defaultActor: 'os-user',
    version: '1.2.3',
    loopbackOnly: false,
    lookEveryMs: 1,
    ...over,
  });
  return Object.assign(house, {
    at,
    app,
    gateway,
    lake,
    imports,
    logged: () => lines.map((line): Record<string, unknown> => JSON.parse(line)),
    async close() {
      await app.close();
      // what a route may answer with stands in the OpenAPI document
      expect(lines.filter((line) => line.includes('undocumented problem'))).toEqual([]);
    },
  });
}

function logger(lines: string[]): Logger {
  return pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
}

export { openTestLedger };

/** What of an answer the next function looks at. */
interface Answer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** An answer must be this problem, told in full; gives back its body. */
export function expectProblem(answer: Answer, type: string, status: number): Record<string, unknown> {
  const body: unknown = JSON.parse(answer.body);
  expect(body).toMatchObject({
    type: `/api/problems/${type}`,
    status,
    title: expect.any(String),
    detail: expect.any(String),
    mend: expect.any(String),
    requestId: answer.headers['x-request-id'],
  });
  expect(answer.statusCode).toBe(status);
  expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  return body as Record<string, unknown>;
}
