import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pathText } from '../../../src/domain/path.ts';
import { decisions } from '../../../src/ledger/schema.ts';
import { openTestLedger, type TestLedger } from '../../support/ledger.ts';
import { absent, at, day, hour, look, openInput, present, type Seen, shop, t0, unknown, wholeRound } from './scene.ts';

let open: TestLedger;
beforeAll(async () => {
  open = await openTestLedger();
});
beforeEach(() => open.reset());
afterAll(() => open.close());

const rule = { now: t0, minimumAgeMs: hour };
const blocker = (container = 's', over: Partial<typeof rule> = {}) =>
  open.ledger.rounds.firstBlocker('r2', at(container), { ...rule, ...over });

/** A published round in which all was absent, then a running one that sees this. */
async function seen(rows: readonly Seen[]): Promise<void> {
  await wholeRound(
    open.ledger,
    'r1',
    rows.map(({ path }) => ({ path, verdict: absent() })),
  );
  await open.ledger.rounds.open(openInput('r2'));
  await look(open.ledger, 'r2', rows);
}

async function decide(path: string, over: Partial<typeof decisions.$inferInsert>): Promise<void> {
  const finding = await open.ledger.findings.openAt(shop, at(path), t0);
  await open.db.insert(decisions).values({
    id: path,
    catalog: shop,
    finding: finding?.id ?? '',
    entity: `id of ${path}`,
    digest: finding?.digest ?? '',
    action: 'reject',
    actor: {
      name: 'anna',
      verified: true,
      via: 'api',
    },
    requestKey: path,
    at: t0,
    state: 'active',
    ...over,
  });
}

const gone = (path: string): Seen => ({ path, verdict: absent() });

describe('what blocks a container', () => {
  test('is nothing where all inside is absent, old enough and nobody’s', async () => {
    await seen([gone('s'), gone('s/a'), gone('s/b/c'), { path: 's0', verdict: present() }]);
    expect(await blocker()).toBeUndefined();
    expect(await blocker('s/a')).toBeUndefined();
  });

  test.each<[string, Seen]>([
    ['managed', { path: 's/b', mark: 'managed' }],
    ['protected', { path: 's/b', mark: 'protected' }],
    ['excluded', { path: 's/b', mark: 'excluded' }],
    ['out-of-scope', { path: 's/b', mark: 'out-of-scope' }],
    ['not-absent', { path: 's/b', verdict: present() }],
    ['not-absent', { path: 's/b', verdict: unknown() }],
    ['not-absent', { path: 's/b' }],
    ['not-absent', { path: 's/b/deep', verdict: { kind: 'copied', code: 'x', uid: '1' } }],
    ['too-young', { ...gone('s/b'), createdAt: t0 - hour + 1 }],
  ])('%s', async (why, inside) => {
    await seen([gone('s'), gone('s/a'), inside, gone('s/c'), { path: 's/d', mark: 'managed' }]);
    expect(await blocker()).toEqual({ path: at(inside.path), why });
  });

  test('is what a person keeps or rejected, as long as that holds', async () => {
    await seen([gone('s'), gone('s/a'), gone('s/b'), gone('s/c')]);
    await decide('s/c', { action: 'keep', keepUntil: t0 + day });
    expect(await blocker()).toEqual({ path: at('s/c'), why: 'kept' });
    expect(await blocker('s', { now: t0 + day })).toBeUndefined();
    await decide('s/b', { digest: 'of other evidence' });
    expect(await blocker()).toEqual({ path: at('s/c'), why: 'kept' });
    await decide('s/a', {});
    expect(await blocker()).toEqual({ path: at('s/a'), why: 'rejected' });
  });

  test('B43 is a registration that appeared since, which has no verdict', async () => {
    await seen([gone('s'), gone('s/a')]);
    await open.ledger.rounds.appendSnapshot('r2', [
      { row: 2, entity: 'new', kind: 'table', path: at('s/new'), version: '1', createdAt: 0, mark: 'probe' },
    ]);
    expect(await blocker()).toEqual({ path: at('s/new'), why: 'not-absent' });
  });

  test('is found beyond what one statement reads', async () => {
    await open.ledger.rounds.open(openInput('r2'));
    const many = Array.from({ length: 20_010 }, (_unused, index) => gone(`s/t${String(index).padStart(5, '0')}`));
    await look(open.ledger, 'r2', [...many, { path: 's/u', mark: 'protected' }]);
    expect(await blocker()).toEqual({ path: at('s/u'), why: 'protected' });
  });
});

test('the contents of a container come in order of path, page by page', async () => {
  await seen([gone('s/b'), gone('s'), gone('s/a/x'), gone('s/a'), gone('s0/a'), gone('r'), gone('s/c')]);
  const page = await open.ledger.rounds.inside('r2', at('s'), { limit: 3 });
  expect(page.map(({ path }) => pathText(path))).toEqual(['s/a', 's/a/x', 's/b']);
  const rest = await open.ledger.rounds.inside('r2', at('s'), { after: at('s/b'), limit: 3 });
  expect(rest).toEqual([{ entity: 'id of s/c', version: 'v1', path: at('s/c'), returned: false }]);
});

test('absent containers are the schemas among what is absent', async () => {
  await seen([gone('s'), gone('s/a'), { path: 't', verdict: present() }, { path: 'u', verdict: unknown() }, gone('v')]);
  expect(await open.ledger.rounds.absentContainers('r2')).toEqual(new Set(['s', 'v']));
});
