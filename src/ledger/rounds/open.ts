import { and, eq, lt, ne, or } from 'drizzle-orm';
import { ReconcilerFailure } from '../../domain/failure.ts';
import { parsePathText } from '../../domain/path.ts';
import { completePolicy } from '../../domain/policy.ts';
import { type CatalogRow, lockCatalog } from '../catalog-row.ts';
import type { LedgerDatabase } from '../database.ts';
import type { CatalogKey, OpenedRound, OpenRound } from '../ledger.ts';
import { effectivePolicy } from '../policies.ts';
import type { RoundReason } from '../records.ts';
import { catalogs, policies, rounds } from '../schema.ts';
import { superseded } from './running.ts';

type RoundRow = typeof rounds.$inferSelect;

export async function openRound(db: LedgerDatabase, input: OpenRound): Promise<OpenedRound> {
  return db.transaction(async (tx) => {
    await ensureCatalog(tx, input.catalog, input.now);
    const catalog = await lockCatalog(tx, input.catalog);
    const [known] = await tx.select().from(rounds).where(eq(rounds.id, input.id));
    if (known !== undefined && known.state !== 'running') throw superseded(input.id);
    const round = known ?? (await begin(tx, catalog, input));
    return answer(tx, catalog, round);
  });
}

async function ensureCatalog(tx: LedgerDatabase, key: CatalogKey, now: number): Promise<void> {
  const [metalake, name, ...rest] = parsePathText(key) ?? [];
  if (metalake === undefined || name === undefined || rest.length > 0) {
    throw new ReconcilerFailure('InvalidRequest', 'no-such-catalog', `${key} is not a metalake and a catalog`);
  }
  await tx.insert(catalogs).values({ key, metalake, name, stateSince: now }).onConflictDoNothing();
}

async function begin(tx: LedgerDatabase, catalog: CatalogRow, input: OpenRound): Promise<RoundRow> {
  const { id, dry, trigger, requestedBy, workflowId, now, nominalAt } = input;
  const policy = await effectivePolicy(tx, catalog.key);
  await closeUnfinished(tx, input);
  const seq = dry ? 0 : catalog.roundSeq + 1;
  if (!dry) await tx.update(catalogs).set({ roundSeq: seq }).where(eq(catalogs.key, catalog.key));
  const [row] = await tx
    .insert(rounds)
    .values({
      id,
      catalog: catalog.key,
      seq,
      dry,
      trigger,
      requestedBy,
      workflowId,
      state: 'running',
      intervalMs: input.intervalMs ?? policy.intervalMs,
      nominalAt,
      startedAt: now,
      policyVersion: policy.version,
    })
    .returning();
  if (row === undefined) throw superseded(id);
  return row;
}

/** No scan takes so long. A dead one would otherwise keep every removal of an exclusive registry waiting. */
const longestScanMs = 24 * 3_600_000;

/**
 * Its workflow is gone, or was overtaken: what it would still write is refused from now on. Scans and rounds close each
 * their own; a scan whose workflow was terminated is closed by a round as well, a day later.
 */
async function closeUnfinished(tx: LedgerDatabase, { id, catalog, dry, now }: OpenRound): Promise<void> {
  const reason: RoundReason = {
    type: 'RoundSuperseded',
    code: 'newer-round',
    message: `round ${id} was opened before this one had ended`,
  };
  const closed = await tx
    .update(rounds)
    .set({ state: 'failed', reason, endedAt: now })
    .where(
      and(
        eq(rounds.catalog, catalog),
        eq(rounds.state, 'running'),
        ne(rounds.id, id),
        or(eq(rounds.dry, dry), and(rounds.dry, lt(rounds.startedAt, now - longestScanMs))),
      ),
    )
    .returning({ dry: rounds.dry });
  if (closed.every((round) => round.dry)) return;
  // As after any round that failed: removals wait until the next one is published.
  await tx
    .update(catalogs)
    .set({ state: 'failed', stateReason: reason, stateSince: now })
    .where(and(eq(catalogs.key, catalog), ne(catalogs.state, 'failed')));
}

/** All of it from rows that stay as they are while the round runs, so that a repeated opening answers the same. */
async function answer(tx: LedgerDatabase, catalog: CatalogRow, round: RoundRow): Promise<OpenedRound> {
  const before = round.dry ? catalog.roundSeq : round.seq - 1;
  const published = await publishedRound(tx, catalog);
  return {
    id: round.id,
    seq: round.seq,
    intervalMs: round.intervalMs,
    policy: await policyOf(tx, round),
    policyVersion: round.policyVersion,
    afterComplete: before === 0 || catalog.publishedSeq === before,
    ...(published === undefined ? {} : { published }),
    ...(catalog.epoch === null ? {} : { epoch: catalog.epoch }),
    ...(catalog.fingerprint === null ? {} : { fingerprint: catalog.fingerprint }),
  };
}

async function policyOf(tx: LedgerDatabase, { catalog, policyVersion }: RoundRow) {
  const [row] = await tx
    .select({ policy: policies.body })
    .from(policies)
    .where(and(eq(policies.catalog, catalog), eq(policies.version, policyVersion)));
  return completePolicy(row?.policy ?? {});
}

async function publishedRound(tx: LedgerDatabase, { publishedRound: id, publishedAt: at }: CatalogRow) {
  if (id === null || at === null) return undefined;
  const [row] = await tx.select().from(rounds).where(eq(rounds.id, id));
  const policy = row === undefined ? completePolicy({}) : await policyOf(tx, row);
  return { id, at, registrations: row?.counts?.registrations ?? 0, policy };
}
