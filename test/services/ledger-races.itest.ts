import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defaultPolicy, type Policy } from '../../src/domain/policy.ts';
import type { Verdict } from '../../src/domain/verdict.ts';
import type { PublishRound } from '../../src/ledger/ledger.ts';
import { writeAudit } from '../../src/ledger/audit.ts';
import { decisions, intents, overrides, removals } from '../../src/ledger/schema.ts';
import {
  absent,
  judge,
  look,
  openInput,
  opening,
  present,
  publishing,
  unknown,
  wholeRound,
} from '../ledger/rounds/scene.ts';
import {
  anna,
  ben,
  decideOne,
  hour,
  key,
  minute,
  seedCatalog,
  seedFinding,
  seedRemoval,
  seedRound,
  t0,
} from '../ledger/seed.ts';
import { openTestLedger, type TestLedger } from '../support/ledger.ts';
import { PostgresServer } from '../support/postgres-server.ts';

/** Races between people, rounds and the removal loop, on connections of their own: each ends in one recorded outcome. */

let server: PostgresServer;
let at: TestLedger;
beforeAll(async () => {
  server = await PostgresServer.start();
  at = await openTestLedger(server.url());
});
afterAll(async () => {
  await at?.close();
  await server?.close();
});
beforeEach(() => at.reset());

/** Races are rare by nature; so many tries have shown every one that we built in on purpose. */
const tries = 20;
const now = t0 + 4 * hour;
const policy: Policy = { ...defaultPolicy, graceMs: 0, minimumAgeMs: 0 };

async function repeatedly(race: () => Promise<void>): Promise<void> {
  for (let turn = 0; turn < tries; turn += 1) {
    await at.reset();
    await race();
  }
}

const open = (finding: string, id = 'i1') =>
  at.ledger.removals.openIntent({
    id,
    catalog: key,
    action: 'remove',
    finding,
    now,
    actBefore: now + minute,
    exclusive: false,
  });

/** Two rounds that missed `s/a`; gives back its finding. */
async function missedTwice() {
  const seen = [
    { path: 's/a', verdict: absent() },
    { path: 's/b', verdict: present() },
  ];
  await wholeRound(at.ledger, 'r1', seen, { now: t0, policy });
  await wholeRound(at.ledger, 'r2', seen, { now: t0 + hour, policy });
  const finding = await at.ledger.findings.openAt(key, ['s', 'a'], now);
  if (finding === undefined) throw new Error('s/a was missed twice and has no finding');
  return finding;
}

/** A third round that has judged and is about to be published. */
async function aboutToPublish(verdict: Verdict, over: Partial<PublishRound> = {}) {
  const opened = await at.ledger.rounds.open(openInput('r3', { now: t0 + 2 * hour }));
  await look(at.ledger, 'r3', [
    { path: 's/a', verdict },
    { path: 's/b', verdict: present() },
  ]);
  await judge(at.ledger, opened, { now: t0 + 2 * hour, epoch: 'e1', policy });
  return () => at.ledger.rounds.publish(publishing('r3', { now: t0 + 2 * hour, ...over }));
}

const approve = (finding: { readonly id: string; readonly digest: string }, when = now) =>
  decideOne(at.ledger, finding.id, 'approve', { digest: finding.digest, now: when });

const states = async () =>
  (await at.db.select().from(decisions)).map(({ action, state }) => `${action} ${state}`).sort();

describe('B46 a removal begins at the moment at which a round is published', () => {
  test('B88 that saw the object again: it began before and belongs to the removal, or it is closed', async () => {
    await repeatedly(async () => {
      const finding = await missedTwice();
      await approve(finding);
      const publish = await aboutToPublish(present());
      const [opened] = await Promise.all([open(finding.id), publish()]);
      const after = await at.ledger.findings.finding(finding.id, now);
      if (opened.answer === 'opened') {
        expect([after?.state, await states()]).toEqual(['open', ['approve active']]);
        // the last look finds the object, and that is the one outcome
        await at.ledger.removals.settle({ intent: 'i1', outcome: 'present', reason: 'there', entities: 0, now });
        expect(await states()).toEqual(['approve void']);
      } else {
        expect([opened.bar, after?.state, await states()]).toEqual(['closed', 'closed', ['approve void']]);
      }
      expect(await at.db.$count(removals)).toBe(opened.answer === 'opened' ? 1 : 0);
    });
  });

  test('B56 that is held: it began before the hold, or it waits for somebody to look', async () => {
    await repeatedly(async () => {
      const finding = await missedTwice();
      await approve(finding);
      const publish = await aboutToPublish(absent(), { hold: ['too-many-absent'] });
      const [opened] = await Promise.all([open(finding.id), publish()]);
      if (opened.answer === 'barred') expect(opened.bar).toBe('held');
      expect(await at.db.$count(intents)).toBe(opened.answer === 'opened' ? 1 : 0);
      expect(await states()).toEqual(['approve active']);
    });
  });

  test('that learned nothing about it: it began before, or it is not ripe any more', async () => {
    await repeatedly(async () => {
      const finding = await missedTwice();
      await approve(finding);
      const publish = await aboutToPublish(unknown());
      const [opened] = await Promise.all([open(finding.id), publish()]);
      if (opened.answer === 'barred') expect(opened.bar).toBe('not-ripe');
      expect(await at.db.$count(intents)).toBe(opened.answer === 'opened' ? 1 : 0);
    });
  });
});

describe('a decision is given at the moment at which a round is published', () => {
  test('B88 that closes the finding: it is void, or refused', async () => {
    await repeatedly(async () => {
      const finding = await missedTwice();
      const publish = await aboutToPublish(present());
      const [answer] = await Promise.all([approve(finding), publish()]);
      if (answer.answer === 'accepted') expect(await states()).toEqual(['approve void']);
      else expect([answer.reason, await states()]).toEqual(['closed', []]);
    });
  });

  test('B89 that changes the evidence: it is void, or refused', async () => {
    await repeatedly(async () => {
      const finding = await missedTwice();
      const publish = await aboutToPublish(absent());
      const [row] = await at.ledger.rounds.toJudge('r3', { limit: 1 });
      if (row === undefined) throw new Error('s/a is not to be judged');
      const evidence = row.evidence ?? '';
      await at.ledger.rounds.recordJudgements('r3', [
        opening(row, finding.standing, { digest: 'of other attachments', evidence }),
      ]);
      const [answer] = await Promise.all([approve(finding), publish()]);
      if (answer.answer === 'accepted') expect(await states()).toEqual(['approve void']);
      else expect([answer.reason, await states()]).toEqual(['changed', []]);
      expect(await at.ledger.findings.finding(finding.id, now)).toMatchObject({ digest: 'of other attachments' });
    });
  });
});

describe('a standing keep is ordered at the moment', () => {
  const order = () => at.ledger.keeps.order({ id: 'k1', catalog: key, pattern: 'sales/**', actor: ben, now });

  test('at which a removal of what it covers begins: one of them is first, and the audit says which', async () => {
    await repeatedly(async () => {
      await seedCatalog(at.db);
      await seedFinding(at.db, 'a');
      await decideOne(at.ledger, 'a', 'approve');
      const [opened] = await Promise.all([open('a'), order()]);
      const told = (await at.ledger.audit.page({ catalog: key, limit: 9 })).map(({ action }) => action).slice(1);
      if (opened.answer === 'opened') expect(told).toEqual(['intent-opened', 'keep-ordered']);
      else expect([opened.bar, told]).toEqual(['kept', ['keep-ordered']]);
      expect(await states()).toEqual(['approve void', 'keep active']);
    });
  });

  test('at which somebody approves: the approval is void or refused, never in force', async () => {
    await repeatedly(async () => {
      await seedCatalog(at.db);
      await seedFinding(at.db, 'a');
      const [answer] = await Promise.all([decideOne(at.ledger, 'a', 'approve', { now }), order()]);
      if (answer.answer === 'accepted') expect(await states()).toEqual(['approve void', 'keep active']);
      else expect([answer.reason, await states()]).toEqual(['kept', ['keep active']]);
    });
  });
});

describe('B53 one override', () => {
  test('that two approve at once is approved by one of them', async () => {
    await repeatedly(async () => {
      await seedCatalog(at.db, { hold: ['all-absent'] });
      await seedFinding(at.db, 'a');
      const wanted = {
        catalog: key,
        policy: { ...defaultPolicy, fourEyes: true },
        intervalMs: hour,
        actor: anna,
        now: t0,
      };
      await at.ledger.catalogs.applyPolicy(wanted);
      const wish = { id: 'o1', catalog: key, actor: anna, reason: 'x', maxCount: 1, expiresAt: now + hour, now };
      await at.ledger.decisions.override(wish);
      const carl = { ...ben, name: 'carl' };
      const answers = await Promise.all(
        [ben, carl].map((actor) => at.ledger.decisions.approveOverride({ id: 'o1', catalog: key, actor, now })),
      );
      const [row] = await at.db.select().from(overrides);
      for (const answer of answers) expect(answer).toMatchObject({ override: { approved: { by: row?.approvedBy } } });
      const told = (await at.ledger.audit.page({ catalog: key, limit: 9 })).map(({ action }) => action);
      expect(told.filter((action) => action === 'override-approved')).toHaveLength(1);
    });
  });
});

test('the last place below a limit is given once, however many ask for it', async () => {
  await repeatedly(async () => {
    await seedCatalog(at.db);
    const limited = { ...defaultPolicy, removalsPerRound: 2 };
    const { version } = await at.ledger.catalogs.applyPolicy({
      catalog: key,
      policy: limited,
      intervalMs: hour,
      actor: anna,
      now: t0,
    });
    await seedRound(at.db, 'r7', key, { policyVersion: version });
    await seedRemoval(at.db, 'x');
    const ids = ['a', 'b', 'c', 'd'];
    for (const id of ids) {
      await seedFinding(at.db, id);
      await decideOne(at.ledger, id, 'approve', { now });
    }
    const tryOne = async (id: string): Promise<string> => {
      const opened = await open(id, `i ${id}`);
      if (opened.answer === 'barred') return opened.bar;
      await at.ledger.removals.settle({ intent: `i ${id}`, outcome: 'removed', reason: 'gone', entities: 1, now });
      return 'removed';
    };
    const ended = await Promise.all(ids.map(tryOne));
    expect(ended.filter((end) => end === 'removed')).toHaveLength(1);
    expect(ended.filter((end) => end === 'round-limit' || end === 'intent-open')).toHaveLength(3);
    expect(await at.ledger.removals.removed(key, now)).toMatchObject({ inRound: 2 });
  });
});

test('a reader of the audit who goes on after the last entry sees every one, while many write and some take their time', async () => {
  const writers = 6;
  const each = 25;
  let writing = writers;
  const write = async (writer: number): Promise<void> => {
    for (let n = 0; n < each; n += 1) {
      await at.db.transaction(async (tx) => {
        const told = { at: now, actor: anna, action: 'looked', subject: `${writer}/${n}`, detail: {} };
        await writeAudit(tx, told);
        // held open so that others overtake: long for some, not at all for others
        await tx.execute(sql`select pg_sleep(${((writer * 7 + n * 3) % 5) / 200})`);
      });
    }
    writing -= 1;
  };
  const seen: string[] = [];
  const read = async (): Promise<void> => {
    for (let after = 0, done = false; !done; ) {
      done = writing === 0;
      const page = await at.ledger.audit.page({ after, limit: 7 });
      seen.push(...page.map(({ subject }) => subject));
      after = page.at(-1)?.id ?? after;
      if (page.length > 0) done = false;
    }
  };
  await Promise.all([read(), ...Array.from({ length: writers }, (_, writer) => write(writer))]);
  expect(seen).toHaveLength(writers * each);
  expect(new Set(seen).size).toBe(writers * each);
});
