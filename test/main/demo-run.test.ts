import { expect, test } from 'vitest';
import type { FindingView, StalePage } from '../../src/api/schemas/finding.ts';
import type { RoundDetail } from '../../src/api/schemas/round.ts';
import { type ApiClient, ApiRefusal } from '../../src/main/api-client.ts';
import { type DemoStage, DemoStateFile } from '../../src/main/demo/demo-state.ts';
import { nextSteps } from '../../src/main/demo/next-steps.ts';
import { runDemo } from '../../src/main/demo/run-demo.ts';
import type { DemoSources } from '../../src/main/demo/start-demo-sources.ts';
import { tellFindings } from '../../src/main/demo/tell-findings.ts';
import { scratchFolder } from '../support/scratch.ts';

const addresses = {
  api: 'http://127.0.0.1:8080',
  temporalUi: 'http://127.0.0.1:8233',
  temporalNamespace: 'default',
  settingsFile: 'demo/reconcile.yaml',
};

test('two rounds follow the drift, and then it tells what was found and what to do', async () => {
  const { said, started, state } = await demoFrom('drifted');
  expect(started.filter((catalog) => catalog === 'shop')).toHaveLength(2);
  expect(started.filter((catalog) => catalog === 'analytics')).toHaveLength(2);
  expect(started.filter((catalog) => catalog === 'offline')).toHaveLength(1);
  expect(state.state.stage).toBe('rounds-done');
  const text = said.join('\n');
  expect(text).toContain('demo/offline: unreachable');
  expect(text).toContain('npx catalog-reconciler approve demo/shop sales/coupons\n');
  expect(text).toContain('/namespaces/default/workflows/review%2Fdemo%2Fshop');
});

test('a later start runs no round and tells how things stand', async () => {
  const { said, started } = await demoFrom('rounds-done');
  expect(started).toEqual([]);
  expect(said.join('\n')).toContain('sales/coupons');
});

test('a start that is ended on the way is at the same stage the next time', async () => {
  const leaving = new AbortController();
  const { failed, state } = await demoFrom('drifted', { signal: leaving.signal, onStart: () => leaving.abort() });
  expect(failed).toBe(true);
  expect(state.state.stage).toBe('drifted');
});

test('a round that comes to no conclusion ends the demo with its reason', async () => {
  const { failed, error, state } = await demoFrom('drifted', { ends: { shop: 'failed' } });
  expect(failed).toBe(true);
  expect(String(error)).toContain('demo/shop ended as failed. because of a test');
  expect(state.state.stage).toBe('drifted');
});

test('a round that ran already is not taken for one that saw the drift', async () => {
  const { started } = await demoFrom('drifted', { joinedFirst: true });
  expect(started.filter((catalog) => catalog === 'shop')).toHaveLength(3);
});

test('an API whose server is not there yet is asked again', async () => {
  const { state } = await demoFrom('drifted', { refusedFirst: true });
  expect(state.state.stage).toBe('rounds-done');
});

test('findings fit a terminal, each with its reason and what people attached', async () => {
  const { lines } = await tellFindings(fakeApi({}).api, 'shop');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  const text = lines.join('\n').replaceAll(/\s+/g, ' ');
  expect(text).toContain('legacy_import schema absent migration-team missing in 2 rounds with the 4 inside;');
  expect(text).toContain('sales/coupons table absent lena #marketing missing in 2 rounds; the policy only reports');
  expect(text).not.toContain('legacy_import/old_orders'); // goes with its container
});

test.each([
  ['a name with a blank', 'sales/Order Items', "approve demo/shop 'sales/Order Items'"],
  ['a name with a percent sign', 'stock/50%25off', 'approve demo/shop stock/50%25off'],
])('the command for %s can be copied', (_what, path, command) => {
  const steps = nextSteps([{ catalog: 'shop', lines: [], approvable: [finding({ path })] }], addresses);
  expect(steps.join('\n')).toContain(command);
});

test('commands name the API where it is not at its usual address', () => {
  const steps = nextSteps([], { ...addresses, api: 'http://127.0.0.1:4711' });
  expect(steps.join('\n')).toContain('npx catalog-reconciler stale demo/shop --api http://127.0.0.1:4711');
  expect(steps.join('\n')).not.toContain('approve'); // nothing that could be approved was found
});

interface Script {
  readonly signal?: AbortSignal;
  readonly onStart?: () => void;
  readonly ends?: Readonly<Record<string, RoundDetail['state']>>;
  readonly joinedFirst?: boolean;
  readonly refusedFirst?: boolean;
}

async function demoFrom(stage: DemoStage, script: Script = {}) {
  const state = await DemoStateFile.open(await scratchFolder());
  await state.reach(stage);
  const sources = { state, connections: {}, stop: async () => undefined } as unknown as DemoSources;
  const said: string[] = [];
  const { api, started } = fakeApi(script);
  let error: unknown;
  await runDemo({
    api,
    addresses,
    sources,
    say: (line) => said.push(line),
    progress: () => undefined,
    signal: script.signal ?? new AbortController().signal,
  }).catch((thrown: unknown) => {
    error = thrown;
  });
  return { said, started, state, error, failed: error !== undefined };
}

/** An API that answers from a script; only what the demo asks. */
function fakeApi({ onStart, ends = {}, joinedFirst = false, refusedFirst = false }: Script) {
  const started: string[] = [];
  let refused = !refusedFirst;
  const answer = (address: string): unknown => {
    const catalog = address.split('/')[5] ?? '';
    if (address.endsWith('/reconcile')) {
      if (!refused) {
        refused = true;
        throw new ApiRefusal({ type: '', title: 'Later', status: 503, detail: '', mend: '', requestId: '' });
      }
      const joined = joinedFirst && !started.includes(catalog);
      started.push(catalog);
      onStart?.();
      const round = address.replace('/reconcile', '/rounds/1');
      return { catalog, roundId: '1', dryRun: false, joined, round, absent: `${round}/absent` };
    }
    if (address.includes('/rounds/')) {
      const state = ends[catalog] ?? (catalog === 'offline' ? 'unreachable' : 'published');
      const reason = { type: 'Internal', code: 'test', message: 'because of a test' };
      return { id: '1', dry: false, state, from: 'ledger', record: { reason } };
    }
    const id = address.match(/\/stale\/(.+)$/)?.[1];
    return id === undefined ? stalePage(catalog) : findingDetail(id);
  };
  const api: ApiClient = {
    get: async <T>(address: string) => answer(address) as T,
    post: async <T>(address: string) => ({ status: 202, body: answer(address) as T }),
    delete: () => Promise.reject(new Error('the demo deletes nothing')),
    close: async () => undefined,
  };
  return { api, started };
}

const findings = [
  finding({ id: 'f1', kind: 'schema', path: 'legacy_import', inside: 4 }),
  finding({ id: 'f2', path: 'legacy_import/old_orders', carrier: 'legacy_import' }),
  finding({ id: 'f3', path: 'sales/coupons' }),
];

function stalePage(catalog: string): StalePage {
  const isDown = catalog === 'offline';
  return {
    catalog: {
      metalake: 'demo',
      catalog,
      address: `demo/${catalog}`,
      state: isDown ? 'unreachable' : 'ok',
      stateText: isDown ? 'the source could not be asked; nothing is concluded about its objects' : '',
      hold: [],
    },
    rejected: 0,
    needs: { misses: 2, graceMs: 0, minimumAgeMs: 0 },
    findings: catalog === 'shop' ? findings : [],
    broken: [],
  };
}

function findingDetail(id: string): unknown {
  const one = findings.find((known) => known.id === id);
  const owner = one?.kind === 'schema' ? 'migration-team' : 'lena';
  const tags = one?.kind === 'schema' ? [] : ['marketing'];
  return { finding: one, attachments: { owner, tags, policies: [], grants: [], properties: {} } };
}

function finding(over: Partial<FindingView>): FindingView {
  return {
    id: 'f',
    kind: 'table',
    path: 'sales/orders',
    segments: ['sales', 'orders'],
    registration: 'r',
    version: '1',
    registeredAt: 0,
    state: 'open',
    verdict: 'absent',
    code: 'no-such-relation',
    evidence: { source: '', asked: '', code: '', principal: '', fingerprint: '', strength: 'conclusive' },
    digest: 'd',
    misses: 2,
    watchedMs: 0,
    firstMissedAt: 0,
    due: false,
    ripe: true,
    waits: [{ code: 'report-only', text: 'the policy only reports; it takes an approval', waived: false }],
    approval: { possible: true },
    taken: false,
    inside: 0,
    impact: { registrations: 1, attachments: 'unseen' },
    openedAt: 0,
    updatedAt: 0,
    ...over,
  };
}
