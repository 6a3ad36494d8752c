import { eq } from 'drizzle-orm';
import { canonical } from '../../domain/digest.ts';
import { ReconcilerFailure } from '../../domain/failure.ts';
import { writeAudit } from '../audit.ts';
import { type CatalogRow, lockCatalog } from '../catalog-row.ts';
import { type LedgerDatabase, walking } from '../database.ts';
import { keepWhatMatches } from '../keeps-matching.ts';
import type { PublishRound, ReadPattern } from '../ledger.ts';
import type { RoundCounts } from '../records.ts';
import { catalogs, rounds } from '../schema.ts';
import { countRound } from './counts.ts';
import { moveFindings, type News } from './move-findings.ts';
import { rememberIdentities } from './remember-identities.ts';
import { knownRound, type RoundRow } from './round-record.ts';
import { superseded } from './running.ts';

/**
 * Readers and removals see the whole of a published round or nothing of it. The catalog's row is locked first, as by
 * whatever opens an intent or decides, so that no removal begins between the moved findings and the new hold.
 */
export async function publishRound(
  db: LedgerDatabase,
  input: PublishRound,
  readPattern: ReadPattern,
): Promise<RoundCounts> {
  return walking(db, async (tx) => {
    const { catalog: key, dry } = await knownRound(tx, input.id);
    if (dry) {
      throw new ReconcilerFailure('InvalidRequest', 'dry-round', `scan ${input.id} is dry: it is never published`);
    }
    const catalog = await lockCatalog(tx, key);
    const round = await knownRound(tx, input.id);
    if (round.state === 'published' && round.counts !== null) return round.counts;
    if (round.state !== 'running') throw superseded(input.id);

    const news = await moveFindings(tx, { round: input.id, catalog: key, now: input.now });
    await keepWhatMatches(tx, key, input.now, readPattern);
    await rememberIdentities(tx, {
      round: input.id,
      catalog: key,
      fingerprint: input.fingerprint,
      forgetFirst: catalog.fingerprint !== input.fingerprint,
    });
    const counted = await countRound(tx, input.id, key);
    const counts = input.guard === undefined ? counted : { ...counted, guard: input.guard };
    await flip(tx, { catalog, round, input, counts });
    await tellAudit(tx, { catalog, round, input, counts, news });
    return counts;
  });
}

interface Flip {
  readonly catalog: CatalogRow;
  readonly round: RoundRow;
  readonly input: PublishRound;
  readonly counts: RoundCounts;
}

async function flip(tx: LedgerDatabase, { catalog, round, input, counts }: Flip): Promise<void> {
  const { id, now, hold, epoch, fingerprint, principal } = input;
  await tx
    .update(catalogs)
    .set({
      publishedRound: id,
      publishedSeq: round.seq,
      publishedAt: now,
      epoch,
      fingerprint,
      principal,
      state: 'ok',
      stateReason: null,
      stateSince: catalog.state === 'ok' ? catalog.stateSince : now,
      hold,
      stop: null,
    })
    .where(eq(catalogs.key, catalog.key));
  await tx
    .update(rounds)
    .set({ state: 'published', endedAt: now, counts, hold, epoch, fingerprint })
    .where(eq(rounds.id, id));
}

/** Only what changed: a round without news leaves its own row and nothing else. */
async function tellAudit(
  tx: LedgerDatabase,
  { catalog, round, input, counts, news }: Flip & { readonly news: News },
): Promise<void> {
  const isQuiet =
    news.transitions === 0 &&
    catalog.state === 'ok' &&
    catalog.stop === null &&
    catalog.epoch === input.epoch &&
    canonical(catalog.hold) === canonical(input.hold);
  if (isQuiet) return;
  await writeAudit(tx, {
    at: input.now,
    catalog: catalog.key,
    actor: round.requestedBy,
    action: 'round-published',
    subject: input.id,
    detail: { seq: round.seq, hold: input.hold, epoch: input.epoch, ...news, open: counts.open, due: counts.due },
  });
}
