import { expect } from 'vitest';
import type { Deployment } from './deployment.ts';

/** What holds after any outage, whatever it was and whenever it came. */
export async function expectNothingLost(at: Deployment): Promise<void> {
  await everythingThatExistsIsRegistered(at);
  // Each removal once, by the intent that the registry's tombstone names.
  expect(
    await at.ledger(
      `select catalog, path, count(*)::int from removals where outcome in ('removed', 'already-gone')
       group by catalog, path having count(*) > 1`,
    ),
  ).toEqual([]);
  const removed = await at.ledger("select id from removals where outcome = 'removed' order by id");
  const buried = await at.registry('select distinct intent_id as id from registry.tombstones order by 1');
  expect(removed.map(({ id }) => id)).toEqual(buried.map(({ id }) => id));
  // Every intent has come to an end, with one row in each record of it.
  expect(await at.ledger("select id from intents where state <> 'settled' or outcome is null")).toEqual([]);
  expect(
    await at.ledger(
      `select i.id from intents i where not exists (select from removals r where r.id = i.id and r.outcome = i.outcome)
         or 1 <> (select count(*) from audit a where a.subject = i.id and a.action = 'intent-opened')
         or 1 <> (select count(*) from audit a where a.subject = i.id and a.action = 'removal-settled')`,
    ),
  ).toEqual([]);
  // One at a time in a catalog.
  expect(
    await at.ledger(
      `select a.id from intents a join intents b on a.catalog = b.catalog and a.id <> b.id
       where a.opened_at < b.settled_at and b.opened_at < a.settled_at`,
    ),
  ).toEqual([]);
  // What was accepted is on record, and was carried out or made void for a reason that is told.
  expect(
    await at.ledger("select id from decisions where state = 'active' or (state = 'void' and state_why is null)"),
  ).toEqual([]);
  expect(
    await at.ledger(
      `select d.id from decisions d where 1 <> (
         select count(*) from audit a where a.action = 'decision-accepted' and a.detail ->> 'decision' = d.id)`,
    ),
  ).toEqual([]);
  // No round runs on without a workflow, and no miss was counted that no published round saw.
  expect(await at.ledger("select id from rounds where state = 'running'")).toEqual([]);
  expect(
    await at.ledger(
      `select f.id from findings f where f.state = 'open' and (f.standing ->> 'misses')::int > (
         select count(*) from rounds r where r.catalog = f.catalog and r.state = 'published')`,
    ),
  ).toEqual([]);
}

async function everythingThatExistsIsRegistered(at: Deployment): Promise<void> {
  for (const catalog of at.catalogs) {
    const existing = await at.atSource(
      catalog,
      "select 'app/' || relname as path from pg_class where relnamespace = 'app'::regnamespace and relkind = 'r'",
    );
    const registered = await at.registry(
      `select e.path_key as path from registry.entities e join registry.catalogs c on c.id = e.catalog_id
       where c.name = '${catalog}'`,
    );
    const paths = new Set(registered.map(({ path }) => path));
    expect(
      existing.filter(({ path }) => !paths.has(path)),
      catalog,
    ).toEqual([]);
  }
}
