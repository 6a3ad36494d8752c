import { and, eq, or } from 'drizzle-orm';
import { reconciler } from '../domain/actor.ts';
import { writeAudit } from './audit.ts';
import { lockCatalog } from './catalog-row.ts';
import type { LedgerDatabase } from './database.ts';
import { useOverride, weightOf } from './decisions-override.ts';
import { findingOf } from './findings.ts';
import type { CatalogKey, Intent, ReadPattern, RemovalLedger } from './ledger.ts';
import { type BarReading, type FindingRow, readBar } from './removals-bar.ts';
import { circumstancesOf } from './removals-circumstances.ts';
import { readPath } from './rows.ts';
import { findings, intents } from './schema.ts';

type OpenIntent = Parameters<RemovalLedger['openIntent']>[0];
type Opened = Awaited<ReturnType<RemovalLedger['openIntent']>>;

export async function openIntent(db: LedgerDatabase, input: OpenIntent, readPattern: ReadPattern): Promise<Opened> {
  const { id, catalog: key, action, now, exclusive } = input;
  return db.transaction(async (tx): Promise<Opened> => {
    const catalog = await lockCatalog(tx, key);
    // A repeated id, too: what became of the first call is not known, so the world must be looked at before anything else.
    const [running] = await tx
      .select({ id: intents.id })
      .from(intents)
      .where(or(eq(intents.id, id), and(eq(intents.catalog, key), eq(intents.state, 'open'))));
    if (running !== undefined) return { answer: 'barred', bar: 'intent-open' };
    const [finding] = await tx
      .select()
      .from(findings)
      .where(and(eq(findings.id, input.finding), eq(findings.catalog, key)))
      .for('update');
    if (finding === undefined) return { answer: 'barred', bar: 'closed' };
    const circumstances = await circumstancesOf(tx, catalog, { now, exclusive, readPattern });
    const reading = await readBar(tx, action, finding, circumstances);
    if (reading.bar !== undefined) return { answer: 'barred', bar: reading.bar };
    const intent = await insertIntent(tx, finding, reading, input);
    const record = await findingOf(tx, finding.id, now);
    if (record === undefined) throw new Error(`finding ${finding.id} is locked, yet cannot be read`);
    return { answer: 'opened', intent, finding: record };
  });
}

async function insertIntent(
  tx: LedgerDatabase,
  finding: FindingRow,
  { approval, override }: BarReading,
  { id, action, now, actBefore }: OpenIntent,
): Promise<Intent> {
  const { catalog, entity, kind, path, version, digest, movedBy } = finding;
  const movedTo = action === 'repoint' ? finding.movedTo : null;
  const row: typeof intents.$inferInsert = {
    id,
    catalog,
    action,
    finding: finding.id,
    entity,
    kind,
    path,
    movedTo,
    version,
    digest,
    decision: approval?.id ?? null,
    actor: approval?.actor ?? reconciler,
    round: movedBy,
    openedAt: now,
    actBefore,
    state: 'open',
  };
  await tx.insert(intents).values(row);
  if (override !== undefined) await useOverride(tx, override, weightOf(finding));
  await writeAudit(tx, {
    at: now,
    catalog,
    actor: row.actor,
    action: action === 'repoint' ? 'repoint-opened' : 'intent-opened',
    subject: id,
    detail: {
      finding: finding.id,
      entity,
      path,
      version,
      digest,
      round: movedBy,
      inside: finding.inside,
      actBefore,
      ...(movedTo === null ? {} : { movedTo }),
      ...(approval === undefined ? {} : { decision: approval.id }),
      ...(override === undefined ? {} : { override }),
    },
  });
  return intentOf(row);
}

export async function openIntentOf(db: LedgerDatabase, catalog: CatalogKey): Promise<Intent | undefined> {
  const [row] = await db
    .select()
    .from(intents)
    .where(and(eq(intents.catalog, catalog), eq(intents.state, 'open')));
  return row === undefined ? undefined : intentOf(row);
}

function intentOf(row: typeof intents.$inferInsert): Intent {
  const { id, catalog, action, movedTo, finding, entity, kind, path, version, digest, actor, round, openedAt } = row;
  return {
    id,
    catalog,
    action: action ?? 'remove',
    finding,
    entity,
    kind,
    path: readPath(path),
    ...(movedTo === undefined || movedTo === null ? {} : { movedTo: readPath(movedTo) }),
    version,
    digest,
    actor,
    round,
    openedAt,
    actBefore: row.actBefore,
  };
}
