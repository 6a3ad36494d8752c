import { and, asc, count, eq, min, not, or, sql } from 'drizzle-orm';
import { completePolicy, defaultPolicy } from '../domain/policy.ts';
import type { LedgerDatabase } from './database.ts';
import { asks } from './decisions-in-force.ts';
import { isRejected } from './findings-rejected.ts';
import type { CatalogFigures, CatalogKey, FiguresLedger } from './ledger.ts';
import { catalogs, decisions, findings, intents, policies, rounds } from './schema.ts';

/** A handful of statements, however many catalogs there are. */
export function createFiguresLedger(db: LedgerDatabase): FiguresLedger {
  return {
    async catalogs(now) {
      const rows = await db
        .select({ catalog: catalogs, counts: rounds.counts })
        .from(catalogs)
        .leftJoin(rounds, eq(rounds.id, catalogs.publishedRound))
        .orderBy(asc(catalogs.key));
      const open = await openFindings(db, now);
      const waiting = await waitingDecisions(db, now);
      const intent = await openIntents(db);
      const pace = await paces(db);
      return rows.map(({ catalog, counts }): CatalogFigures => {
        const { key, metalake, name, state, hold, pause, stop, publishedAt } = catalog;
        const since = intent.get(key);
        const { due, ...ages } = open.get(key) ?? nothingOpen;
        return {
          key,
          metalake,
          name,
          state,
          bars: { hold: hold.length > 0, pause: pause !== null, stop: stop !== null },
          ...(publishedAt === null ? {} : { publishedAt }),
          verdicts: counts?.verdicts ?? {},
          open: ages,
          due,
          waiting: waiting.get(key) ?? { approve: 0, repoint: 0 },
          ...(since === undefined ? {} : { intentOpenSince: since }),
          removalsPerSecond: pace.get(key) ?? defaultPolicy.removalsPerSecond,
        };
      });
    },
  };
}

const day = 24 * 3_600_000;
const nothingOpen = { '1d': 0, '7d': 0, '30d': 0, inf: 0, due: 0 };

async function openFindings(db: LedgerDatabase, now: number): Promise<ReadonlyMap<CatalogKey, typeof nothingOpen>> {
  const { openedAt, standing } = findings;
  const between = (from: number, to: number) =>
    sql<number>`(count(*) filter (where ${now} - ${openedAt} >= ${from * day} and ${now} - ${openedAt} < ${to * day}))::int`;
  const rows = await db
    .select({
      catalog: findings.catalog,
      all: sql<number>`count(*)::int`,
      day: sql<number>`(count(*) filter (where ${openedAt} > ${now - day}))::int`,
      week: between(1, 7),
      month: between(7, 30),
      due: sql<number>`(count(*) filter (where ${standing} ->> 'due' = 'true'))::int`,
    })
    .from(findings)
    .where(and(eq(findings.state, 'open'), not(isRejected(db))))
    .groupBy(findings.catalog);
  return new Map(
    rows.map(({ catalog, all, day: d, week, month, due }) => [
      catalog,
      { '1d': d, '7d': week, '30d': month, inf: all - d - week - month, due },
    ]),
  );
}

async function waitingDecisions(
  db: LedgerDatabase,
  now: number,
): Promise<ReadonlyMap<CatalogKey, CatalogFigures['waiting']>> {
  const rows = await db
    .select({ catalog: decisions.catalog, action: decisions.action, waiting: count(), since: min(decisions.at) })
    .from(decisions)
    .innerJoin(
      findings,
      and(eq(findings.id, decisions.finding), eq(findings.digest, decisions.digest), eq(findings.state, 'open')),
    )
    .where(or(asks(decisions, 'remove', now), asks(decisions, 'repoint', now)))
    .groupBy(decisions.catalog, decisions.action);
  const waiting = new Map<CatalogKey, CatalogFigures['waiting']>();
  for (const { catalog, action, waiting: number, since } of rows) {
    const before = waiting.get(catalog) ?? { approve: 0, repoint: 0 };
    const oldest = Math.min(before.since ?? Number.POSITIVE_INFINITY, since ?? now);
    waiting.set(catalog, { ...before, [action]: number, since: oldest });
  }
  return waiting;
}

async function openIntents(db: LedgerDatabase): Promise<ReadonlyMap<CatalogKey, number>> {
  const rows = await db
    .select({ catalog: intents.catalog, openedAt: intents.openedAt })
    .from(intents)
    .where(eq(intents.state, 'open'));
  return new Map(rows.map(({ catalog, openedAt }) => [catalog, openedAt]));
}

async function paces(db: LedgerDatabase): Promise<ReadonlyMap<CatalogKey, number>> {
  const latest = db
    .select({ catalog: policies.catalog, version: sql`max(${policies.version})`.as('version') })
    .from(policies)
    .groupBy(policies.catalog);
  const rows = await db
    .select({ catalog: policies.catalog, body: policies.body })
    .from(policies)
    .where(sql`(${policies.catalog}, ${policies.version}) in ${latest}`);
  return new Map(rows.map(({ catalog, body }) => [catalog, completePolicy(body).removalsPerSecond]));
}
