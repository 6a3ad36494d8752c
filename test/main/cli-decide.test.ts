import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findings } from '../../src/ledger/schema.ts';
import { day, decideOne, digestOf, ripe, seedCatalog, seedFinding } from '../ledger/seed.ts';
import { key, openTestLedger, t0 } from '../api/api-house.ts';
import type { TestLedger } from '../support/ledger.ts';
import { type CliHouse, openCliHouse } from './cli-house.ts';

let at: TestLedger;
let house: CliHouse;
beforeAll(async () => {
  at = await openTestLedger();
});
beforeEach(async () => {
  await at.reset();
  await seedCatalog(at.db);
  house = await openCliHouse(at);
});
afterEach(() => house.close());
afterAll(() => at.close());

const onRecord = () => at.ledger.decisions.decisions(key, { limit: 500 }, t0);

describe('a decision', () => {
  test('shows what it is bound to, what would be lost, and what became of it', async () => {
    await seedFinding(at.db, 'orders', {
      inside: 2,
      attachments: {
        owner: 'ben',
        tags: ['a', 'b'],
        policies: [],
        grants: [{ principal: 'ben', privilege: 'SELECT' }],
        properties: {},
      },
    });
    const args = ['approve', 'lake/shop', 'sales/orders', '--reason', 'dropped', '--as', 'Jörg'];
    const { code, out, err } = await house.cli(...args);
    expect(code).toBe(0);
    expect(out).toBe(
      [
        'To approve in lake/shop, bound to this evidence:',
        '  KIND   EVIDENCE      LOSES                              PATH',
        `  table  ${digestOf('orders').slice(0, 12)}  3 entries, owner, 2 tags, 1 grant  sales/orders`,
        '',
        'approved  sales/orders',
        '',
      ].join('\n'),
    );
    expect(err).toContain('removals lake/shop');
    expect(await onRecord()).toMatchObject([
      { action: 'approve', reason: 'dropped', digest: digestOf('orders'), actor: { name: 'Jörg', via: 'cli' } },
    ]);
  });

  test('that is refused for one finding fails, and says what to do instead', async () => {
    await seedFinding(at.db, 'good');
    await seedFinding(at.db, 'new', { standing: ripe({ verdict: 'replaced', waits: ['verdict'] }) });
    const { code, out } = await house.cli('approve', 'lake/shop', 'sales/good', 'sales/new');
    expect(code).toBe(1);
    expect(out).toContain('approved  sales/good\nrefused   sales/new: replaced\n');
    expect(out.replace(/\s+/g, ' ')).toContain('Accept it, or change the registration.');
    expect(await onRecord()).toHaveLength(1);
    expect(await house.cli('accept', 'lake/shop', 'sales/new')).toMatchObject({
      code: 0,
      out: expect.stringContaining('accepted  sales/new'),
    });
  });

  test('about a path where nothing is open fails, and the others are decided', async () => {
    await seedFinding(at.db, 'good');
    const { code, out, err } = await house.cli('reject', 'lake/shop', 'sales/good', 'sales/nothing');
    expect([code, out]).toEqual([1, expect.stringContaining('rejected  sales/good')]);
    expect(err).toContain('sales/nothing: no open finding has this path');
  });

  test('to keep lasts until the given day, or for good', async () => {
    await seedFinding(at.db, 'a');
    await seedFinding(at.db, 'b');
    const until = new Date(t0 + 30 * day).toISOString().slice(0, 10);
    await house.cli('keep', 'lake/shop', 'sales/a', '--until', until);
    await house.cli('keep', 'lake/shop', 'sales/b');
    const kept = new Map((await onRecord()).map(({ finding, keepUntil }) => [finding, keepUntil]));
    expect(kept).toEqual(
      new Map([
        ['a', Date.parse(until)],
        ['b', undefined],
      ]),
    );
  });

  test('B35 about odd names reaches the finding that `stale` printed', async () => {
    const texts = ['sales/50%25off', 'sales/a%2Fb', 'sales/a b', 'sales/x+y', 'v1.2/t'];
    for (const [n, path] of texts.entries()) await seedFinding(at.db, `f${n}`, { path });
    const { code } = await house.cli('approve', 'lake/shop', ...texts);
    expect(code).toBe(0);
    expect((await onRecord()).map(({ finding }) => finding).sort()).toEqual(['f0', 'f1', 'f2', 'f3', 'f4']);
  });

  test('while the catalog is held is stored, and the person is told that nothing goes yet', async () => {
    await seedCatalog(at.db, { hold: ['all-absent'] });
    await seedFinding(at.db, 'a');
    const { code, err } = await house.cli('approve', 'lake/shop', 'sales/a');
    expect(code).toBe(0);
    expect(err).toContain('Nothing is removed for the time being:\n  Held (all-absent):');
  });

  test('sent without an answer in time is told as that, not as done', async () => {
    await seedFinding(at.db, 'a');
    house.gateway.slow = true;
    const { code, out } = await house.cli('approve', 'lake/shop', 'sales/a');
    expect([code, out]).toEqual([0, expect.stringContaining('sent      sales/a: not answered yet')]);
    expect(out).not.toContain('approved');
  });
});

describe('repoint', () => {
  const renamed = { standing: ripe({ verdict: 'renamed', ripe: false, waits: ['verdict'] }), movedTo: 'sales/new' };

  test('shows the new name that it is bound to, and `stale` suggests it', async () => {
    await seedFinding(at.db, 'old', renamed);
    expect((await house.cli('stale', 'lake/shop')).err).toContain('repoint lake/shop sales/old');
    const { code, out } = await house.cli('repoint', 'lake/shop', 'sales/old');
    expect(code).toBe(0);
    expect(out).toBe(
      [
        'To repoint in lake/shop, bound to this evidence:',
        '  KIND   EVIDENCE      PATH       NEW PATH',
        `  table  ${digestOf('old').slice(0, 12)}  sales/old  sales/new`,
        '',
        'to be re-pointed sales/old',
        '',
      ].join('\n'),
    );
    expect(await onRecord()).toMatchObject([{ action: 'repoint', state: 'active', finding: 'old' }]);
    const shown = await house.cli('stale', 'lake/shop');
    expect(shown.out).toContain('to re-point');
    expect(shown.err).not.toContain('repoint lake/shop');
  });

  test('of everything takes what can be re-pointed, and says of one that cannot why', async () => {
    await seedFinding(at.db, 'a', renamed);
    await seedFinding(at.db, 'taken', { ...renamed, taken: true });
    await seedFinding(at.db, 'gone');
    await house.cli('repoint', 'lake/shop', '--all', '--yes');
    expect((await onRecord()).map(({ finding }) => finding)).toEqual(['a']);
    const { code, out } = await house.cli('repoint', 'lake/shop', 'sales/taken');
    expect(code).toBe(1);
    expect(out).toContain('refused   sales/taken: nothing-to-repoint');
    expect(out.replace(/\s+/g, ' ')).toContain('sales/new is registered already.');
  });
});

test('what was rejected is told below the list, with the command that shows it', async () => {
  await seedFinding(at.db, 'a');
  await seedFinding(at.db, 'b');
  await house.cli('reject', 'lake/shop', 'sales/b');
  const { out, err } = await house.cli('stale', 'lake/shop');
  expect(out).not.toContain('sales/b');
  expect(err).toMatch(/1 rejected, until their evidence changes: .*stale lake\/shop --state rejected/);
  expect((await house.cli('stale', 'lake/shop', '--state', 'rejected')).out).toContain('sales/b');
});

describe('--all', () => {
  test('says how many that is, and decides nothing where nobody can be asked', async () => {
    await seedFinding(at.db, 'a');
    const { code, err } = await house.cli('approve', 'lake/shop', '--all');
    expect([code, err]).toEqual([2, 'approve 1 finding in lake/shop? Nobody can be asked here: add --yes.\n']);
    expect(house.gateway.decided).toEqual([]);
  });

  test('is narrowed by kind, verdict and container, and counts what became of it', async () => {
    await seedFinding(at.db, 'a', { kind: 'view' });
    await seedFinding(at.db, 'b');
    await seedFinding(at.db, 'c', { path: 'crm/c' });
    const { code, out } = await house.cli(
      'approve',
      'lake/shop',
      '--all',
      '--under',
      'sales',
      '--kind',
      'table',
      '--yes',
    );
    expect([code, out]).toEqual([0, '1 accepted\n']);
    expect((await onRecord()).map(({ finding }) => finding)).toEqual(['b']);
    expect((await house.cli('approve', 'lake/shop', 'sales/a', '--kind', 'view')).code).toBe(2);
  });

  test('approves what the rules let through, once', async () => {
    await seedFinding(at.db, 'a');
    await seedFinding(at.db, 'b');
    await seedFinding(at.db, 'done');
    await decideOne(at.ledger, 'done', 'approve');
    await seedFinding(at.db, 'inner', { carrier: 'sales' });
    await seedFinding(at.db, 'new', { standing: ripe({ verdict: 'replaced', waits: ['verdict'] }) });
    const { code } = await house.cli('approve', 'lake/shop', '--all', '--yes');
    expect(code).toBe(0);
    expect(house.gateway.decided.flatMap(({ items }) => items.map(({ findingId }) => findingId))).toEqual(['a', 'b']);
    const again = await house.cli('approve', 'lake/shop', '--all', '--yes');
    expect([again.code, again.out]).toEqual([0, 'There is nothing to decide.\n']);
  });

  test('of more than a thousand goes in several requests, each with a key of its own', async () => {
    house.gateway.slow = true; // the ledger is not asked: what is sent is what counts
    const row = await seedFinding(at.db, 'f0000');
    await at.db.insert(findings).values(
      Array.from({ length: 1_000 }, (_, n) => {
        const id = `f${String(n + 1).padStart(4, '0')}`;
        return { ...row, id, entity: id, path: `sales/${id}`, digest: digestOf(id) };
      }),
    );
    await house.cli('reject', 'lake/shop', '--all', '--json', '--yes');
    const { decided } = house.gateway;
    expect(decided.map(({ items }) => items.length)).toEqual([1_000, 1]);
    expect(new Set(decided.flatMap(({ items }) => items.map(({ findingId }) => findingId))).size).toBe(1_001);
    expect(decided[0]?.requestKey).not.toBe(decided[1]?.requestKey);
  });
});

test('JSON says of each path what became of it', async () => {
  await seedFinding(at.db, 'a');
  const { code, out } = await house.cli('approve', 'lake/shop', 'sales/a', 'sales/nothing', '--json');
  expect(code).toBe(1);
  expect(JSON.parse(out)).toEqual({
    catalog: key,
    action: 'approve',
    missing: ['sales/nothing'],
    outcomes: [{ path: 'sales/a', answer: 'accepted', decisionId: expect.any(String), repeated: false }],
  });
});
