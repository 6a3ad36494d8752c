import { randomUUID } from 'node:crypto';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { type LedgerDatabase, rowsAStatement, rowsOf } from './database.ts';
import { endDecisions } from './decisions-end.ts';
import { type KeepInForce, keepsInForce } from './keeps-in-force.ts';
import type { CatalogKey, ReadPattern } from './ledger.ts';
import { keptEntities } from './rounds/tally.ts';
import { decisions, transitions } from './schema.ts';

/** Twelve values a decision, and a statement carries 65,535 at most. */
const keepsAnInsert = 5_000;

interface Unkept {
  readonly id: string;
  readonly entity: string;
  readonly path: string;
  readonly digest: string;
}

/**
 * Writes a keep for every open finding that a standing keep covers and that has none in force, and says how many. For a
 * transaction that holds the catalog's lock.
 */
export async function keepWhatMatches(
  tx: LedgerDatabase,
  catalog: CatalogKey,
  now: number,
  read: ReadPattern,
): Promise<number> {
  const keeps = await keepsInForce(tx, catalog, now, read);
  if (keeps.length === 0) return 0;
  let written = 0;
  for (let last: Unkept | undefined; ; ) {
    const page = await unkept(tx, catalog, last, now);
    const matching = page.flatMap((finding) => {
      const keep = keeps.find(({ covers }) => covers(finding.path));
      return keep === undefined ? [] : [{ finding, keep }];
    });
    for (let from = 0; from < matching.length; from += keepsAnInsert) {
      await write(tx, catalog, matching.slice(from, from + keepsAnInsert), now);
    }
    written += matching.length;
    last = page.at(-1);
    if (last === undefined || page.length < rowsAStatement) return written;
  }
}

async function unkept(
  tx: LedgerDatabase,
  catalog: CatalogKey,
  after: Unkept | undefined,
  now: number,
): Promise<readonly Unkept[]> {
  return rowsOf<Unkept>(
    tx,
    sql`
      select id, entity, path, digest from findings
      where catalog = ${catalog} and state = 'open' and (path, id) > (${after?.path ?? ''}::text, ${after?.id ?? ''}::text)
        and entity not in (${keptEntities(catalog, now)})
      order by path, id limit ${rowsAStatement}`,
  );
}

interface Match {
  readonly finding: Unkept;
  readonly keep: KeepInForce;
}

async function write(tx: LedgerDatabase, catalog: CatalogKey, matches: readonly Match[], now: number): Promise<void> {
  const approvals = and(
    eq(decisions.action, 'approve'),
    inArray(
      decisions.finding,
      matches.map(({ finding }) => finding.id),
    ),
  );
  await endDecisions(tx, approvals, { state: 'void', why: 'kept', now });
  const rows = matches.map(({ finding, keep }): typeof decisions.$inferInsert => {
    const id = randomUUID();
    const { actor, reason, keepUntil } = keep;
    const bound = { finding: finding.id, entity: finding.entity, digest: finding.digest };
    // one order may keep the same finding again, after its keep was replaced by another decision
    const requestKey = `keep/${id}`;
    return {
      id,
      catalog,
      ...bound,
      action: 'keep',
      actor,
      reason,
      requestKey,
      at: now,
      keepUntil,
      pattern: keep.id,
      state: 'active',
    };
  });
  await tx.insert(decisions).values(rows);
  await tx.insert(transitions).values(
    rows.map(({ id, finding, actor }, index) => ({
      finding,
      at: now,
      what: 'decided',
      detail: { decision: id, action: 'keep', actor: actor.name, pattern: matches[index]?.keep.pattern },
    })),
  );
}
