import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { reconciler } from '../../src/domain/actor.ts';
import { defaultPolicy } from '../../src/domain/policy.ts';
import { findings, removals } from '../../src/ledger/schema.ts';
import { absent, openInput, present, wholeRound } from '../ledger/rounds/scene.ts';
import { hour, ripe, seedCatalog, seedFinding } from '../ledger/seed.ts';
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
  house = await openCliHouse(at);
});
afterEach(() => house.close());
afterAll(() => at.close());

/** Nothing wider than a terminal, unless it is one word or the path at the end of a line. */
function expectNarrow(text: string): void {
  for (const line of text.split('\n')) {
    const last = line.split(/\s+/).at(-1) ?? '';
    expect(line.length - last.length, line).toBeLessThanOrEqual(80);
  }
}

describe('CATALOG', () => {
  test('is the bare name where it is unique', async () => {
    expect((await house.cli('stale', 'empty')).out).toContain('lake/empty: never-scanned');
  });

  test('is asked back with the candidates where several bear it', async () => {
    const { code, err } = await house.cli('stale', 'shop');
    expect([code, err]).toEqual([2, 'Several catalogs are called shop. Write which one:\n  lake/shop\n  pond/shop\n']);
  });

  test('that nobody knows is an error, with what there is', async () => {
    const bare = await house.cli('stale', 'shpo');
    expect([bare.code, bare.err]).toEqual([1, expect.stringContaining('There are:\n  lake/empty\n  lake/shop')]);
    const full = await house.cli('reconcile', 'lake/shpo');
    expect([full.code, full.err]).toEqual([1, expect.stringContaining('Metalake lake has no catalog shpo.')]);
    expect(house.gateway.started).toEqual([]);
  });

  test.each(['50%25off', 'a%2Fb', 'a b', 'x+y', '..'])('B35 is a path text: lake/%s', async (text) => {
    house.lake.names.add(decodeURIComponent(text));
    const { code, out } = await house.cli('stale', `lake/${text}`);
    expect([code, out]).toEqual([0, expect.stringContaining(`lake/${text}: never-scanned`)]);
    expect((await house.cli('stale', text)).out).toBe(out);
  });
});

describe('stale', () => {
  test('is a narrow table, what each waits for, and what to type next', async () => {
    await seedCatalog(at.db, { hold: ['too-many-absent'] });
    await seedFinding(at.db, 'orders');
    await seedFinding(at.db, 'a b', { kind: 'view', standing: ripe({ misses: 1, ripe: false, waits: ['misses'] }) });
    const { code, out, err } = await house.cli('stale', 'lake/shop');
    expect(code).toBe(0);
    expect(out).toContain(`lake/shop: ok, judged ${new Date(t0).toISOString().slice(0, 19)}Z`);
    expect(out).toContain('Held (too-many-absent): a larger share is absent than the guard allows');
    const first = `${new Date(t0 - hour).toISOString().slice(0, 19)}Z`;
    expect(out).toContain(
      [
        'KIND   VERDICT  FIRST MISSED          STANDING     PATH',
        `view   absent   ${first}  misses       sales/a b`,
        `table  absent   ${first}  report-only  sales/orders`,
      ].join('\n'),
    );
    expect(out).toContain('misses: absent in 1 of 2 complete rounds');
    expect(err).toContain(`approve lake/shop 'sales/a b'\n`);
    expectNarrow(out);
  });

  test('shows as many as asked for, page after page, and says that there are more', async () => {
    await seedCatalog(at.db);
    const [row] = [await seedFinding(at.db, 'f0000')];
    await at.db.insert(findings).values(
      Array.from({ length: 600 }, (_, n) => {
        const id = `f${String(n + 1).padStart(4, '0')}`;
        return { ...row, id, entity: id, path: `sales/${id}` };
      }),
    );
    const few = await house.cli('stale', 'lake/shop', '--limit', '2');
    expect(few.out).toContain('sales/f0001');
    expect(few.out).not.toContain('sales/f0002');
    expect(few.err).toContain('There are more');
    const all = await house.cli('stale', 'lake/shop', '--limit', '5000', '--json');
    const { findings: shown, next } = JSON.parse(all.out);
    expect(shown).toHaveLength(601);
    expect(new Set(shown.map(({ id }: { id: string }) => id)).size).toBe(601);
    expect(next).toBeUndefined();
  });

  test('is narrowed by kind and verdict; a kind that is none is refused by the API', async () => {
    await seedCatalog(at.db);
    await seedFinding(at.db, 't');
    await seedFinding(at.db, 'v', { kind: 'view' });
    const views = JSON.parse((await house.cli('stale', 'lake/shop', '--kind', 'view', '--json')).out);
    expect(views.findings.map(({ id }: { id: string }) => id)).toEqual(['v']);
    const wrong = await house.cli('stale', 'lake/shop', '--kind', 'index');
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('query.kind')]);
  });

  test('says what is damaged on record instead of hiding it', async () => {
    await seedCatalog(at.db);
    await seedFinding(at.db, 'good');
    await seedFinding(at.db, 'bent', { attachments: { tags: 3 } as never });
    const { out, err } = await house.cli('stale', 'lake/shop');
    expect(out).toContain('sales/good');
    expect(err).toContain('Finding bent is damaged');
  });

  test('a name cannot drive the terminal', async () => {
    await seedCatalog(at.db);
    await seedFinding(at.db, 'x', { path: 'sales/\u009b31m\u202ered' });
    const { out } = await house.cli('stale', 'lake/shop');
    expect(out).toContain('sales/\ufffd31m\ufffdred');
  });
});

describe('reconcile', () => {
  test('follows the round and tells what it found', async () => {
    await wholeRound(at.ledger, 'r1', [
      { path: 'sales', verdict: present() },
      { path: 'sales/gone', verdict: absent() },
    ]);
    const { code, out, err } = await house.cli('reconcile', 'lake/shop', '--as', 'anna');
    expect(code).toBe(0);
    expect(out).toContain('Round of lake/shop: published\n  2 registered: 1 present, 1 absent; 1 open, 0 due');
    expect(out).toMatch(/^table {2}\S+ {2}absent {2}sales\/gone$/m);
    expect(err).toContain('stale lake/shop');
    expect(house.gateway.started).toEqual([
      { name: { metalake: 'lake', catalog: 'shop' }, dry: false, actor: { name: 'anna', verified: false, via: 'cli' } },
    ]);
    expectNarrow(out);
  });

  test('shows progress as plain lines where nobody watches, until the round ends', async () => {
    await at.ledger.rounds.open(openInput('r1', { dry: true }));
    const { gateway } = house;
    let asked = 0;
    gateway.liveReport = async () => {
      asked += 1;
      if (asked === 3) await at.ledger.rounds.end({ id: 'r1', state: 'scanned', now: t0 });
      const phase = asked === 1 ? 'listing' : 'probing';
      const totals = { registrations: 9, eligible: 8, probed: asked, verdicts: {} };
      return {
        metalake: 'lake',
        catalog: 'shop',
        roundId: 'r1',
        dry: true,
        phase,
        totals,
        samples: [],
        hold: [],
        more: '',
      };
    };
    const { code, out, err } = await house.cli('reconcile', 'lake/shop', '--dry-run');
    expect(code).toBe(0);
    expect(err).toContain('listing: 1 of 8 probed\nprobing: 2 of 8 probed\n');
    expect(out).toContain('Scan of lake/shop: scanned');
    expect(gateway.started[0]?.dry).toBe(true);
  });

  test('a round without a conclusion fails, with its reason', async () => {
    const reason = { type: 'SourceUnreachable' as const, code: 'ECONNREFUSED', message: 'nobody answers at db:5432' };
    await at.ledger.rounds.open(openInput('r1'));
    await at.ledger.rounds.end({ id: 'r1', state: 'unreachable', reason, now: t0 });
    const { code, out } = await house.cli('reconcile', 'lake/shop');
    expect([code, out]).toEqual([1, expect.stringContaining('Because: nobody answers at db:5432')]);
    const json = await house.cli('reconcile', 'lake/shop', '--json');
    expect([json.code, JSON.parse(json.out).round.state]).toEqual([1, 'unreachable']);
  });

  test('while Temporal is away says what to mend', async () => {
    house.gateway.away = true;
    const { code, out, err } = await house.cli('reconcile', 'lake/shop');
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('Temporal does not answer.');
    expect(err).toContain('To mend it: Bring Temporal back');
  });
});

describe('catalogs, rounds, removals', () => {
  test('catalogs are told with what holds them, and JSON is what the API said', async () => {
    await seedCatalog(at.db, { hold: ['all-absent'], stop: { reason: 'unknown', at: t0 } });
    await seedFinding(at.db, 'a');
    const { code, out, err } = await house.cli('catalogs');
    expect(code).toBe(0);
    expect(out).toMatch(/^ok,held,stopped {2}report-only {2}1 .* lake\/shop$/m);
    expect(out).toContain('Stopped');
    expect(err).toContain('stale lake/shop');
    expectNarrow(out);
    const json = JSON.parse((await house.cli('catalogs', '--json')).out);
    expect(json.catalogs.map(({ address }: { address: string }) => address)).toContain(key);
  });

  test('a registry that is away is told beside the list', async () => {
    house.lake.away = true;
    const { code, err } = await house.cli('catalogs');
    expect([code, err]).toEqual([0, expect.stringContaining('Metalake lake does not list its catalogs')]);
  });

  test('rounds are told newest first, or that there was none', async () => {
    expect((await house.cli('rounds', 'lake/shop')).out).toBe('lake/shop had no round yet.\n');
    await wholeRound(at.ledger, 'r1', [{ path: 'gone', verdict: absent() }]);
    const { out } = await house.cli('rounds', 'lake/shop');
    expect(out).toMatch(/^\S+Z {2}published {2}1 {8}1 {7}1 {5}0 {4}reconciler$/m);
    expectNarrow(out);
  });

  test('removals are told with their outcomes in words, or that there was none', async () => {
    await seedCatalog(at.db);
    expect((await house.cli('removals', 'lake/shop')).out).toBe('Nothing was removed from lake/shop yet.\n');
    await at.db.insert(removals).values({
      id: 'i1',
      catalog: key,
      finding: 'f',
      entity: 'e',
      kind: 'table',
      path: 'sales/orders',
      actor: { name: 'anna', verified: false, via: 'cli' },
      outcome: 'present',
      reason: 'row',
      entities: 0,
      evidence: 'seen',
      at: t0,
    });
    const { out } = await house.cli('removals', 'lake/shop');
    expect(out).toMatch(/^\S+Z {2}present {2}0 {8}anna {2}table {2}sales\/orders$/m);
    expect(out).toContain('present: the object is there again; nothing was done (row)');
  });
});

describe('controls and import', () => {
  test('pause and resume tell where the catalog stands', async () => {
    await seedCatalog(at.db);
    const paused = await house.cli('pause', 'lake/shop', '--reason', 'migration week', '--as', 'anna');
    expect([paused.code, paused.out]).toEqual([0, expect.stringMatching(/Paused by anna, \S+Z: migration week/)]);
    expect((await house.cli('resume', 'lake/shop')).out).not.toContain('Paused');
  });

  test('what was written while Temporal is away is told as that', async () => {
    await seedCatalog(at.db);
    house.gateway.away = true;
    const { code, err } = await house.cli('pause', 'lake/shop', '--reason', 'x');
    expect([code, err]).toEqual([0, expect.stringContaining('Written down. Temporal does not answer')]);
  });

  test('an override tells what it admits; where nothing is held it is refused', async () => {
    await seedCatalog(at.db, { hold: ['too-many-absent'] });
    await seedFinding(at.db, 'a');
    const args = ['override', 'lake/shop', '--max', '5', '--for', '600', '--reason', 'closed'];
    expect((await house.cli(...args)).out).toContain('Admitted 1 findings, up to 5 registrations');
    await seedCatalog(at.db, { hold: [] });
    expect(await house.cli(...args)).toMatchObject({ code: 1, err: expect.stringContaining('nothing to override') });
  });

  test('an override under four eyes is approved by the command that was suggested to another person', async () => {
    await seedCatalog(at.db, { hold: ['too-many-absent'] });
    await seedFinding(at.db, 'a');
    const policy = { ...defaultPolicy, fourEyes: true };
    await at.ledger.catalogs.applyPolicy({ catalog: key, policy, intervalMs: hour, actor: reconciler, now: t0 });
    const args = ['override', 'lake/shop', '--max', '5', '--for', '600', '--reason', 'closed', '--as', 'anna'];
    const asked = await house.cli(...args);
    expect(asked.out).toContain('Asked to admit 1 findings, up to 5 registrations');
    const id = asked.err.match(/override lake\/shop --approve (\S+)/)?.[1] ?? '';
    const approve = (actor: string) => house.cli('override', 'lake/shop', '--approve', id, '--as', actor);
    expect(await approve('anna')).toMatchObject({ code: 1, err: expect.stringContaining('another person') });
    expect((await approve('ben')).out).toContain('Admitted 1 findings, as anna asked');
    expect((await house.cli('overrides', 'lake/shop')).out).toMatch(new RegExp(`active .* 0 of 5 +anna, ben +${id}`));
  });

  test('import counts', async () => {
    const { code, out } = await house.cli('import', 'lake/shop', '--as', 'anna');
    expect([code, out]).toEqual([0, 'lake/shop: 3 registered, 2 were already, 1 of kinds that never are.\n']);
    expect(house.imports).toEqual([{ catalog: 'shop', actor: 'anna' }]);
  });
});
