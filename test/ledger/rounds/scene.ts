import { createHash } from 'node:crypto';
import { reconciler } from '../../../src/domain/actor.ts';
import { attachmentsDigest, findingDigest } from '../../../src/domain/digest.ts';
import { type JudgingRound, moveFinding } from '../../../src/domain/finding.ts';
import { parsePathText, type Path, pathText } from '../../../src/domain/path.ts';
import { defaultPolicy, type Policy } from '../../../src/domain/policy.ts';
import type { EntityKind } from '../../../src/domain/registration.ts';
import type { Mark } from '../../../src/domain/scope.ts';
import type { Evidence, Verdict } from '../../../src/domain/verdict.ts';
import type {
  Judgement,
  JudgeRow,
  Ledger,
  OpenedRound,
  OpenRound,
  PublishRound,
  SnapshotRow,
} from '../../../src/ledger/ledger.ts';
import type { RoundCounts } from '../../../src/ledger/records.ts';

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;
/** Some moment; nothing in the ledger may ask another clock. */
export const t0 = 1_800_000_000_000;
export const shop = 'lake/shop';

export const proof: Evidence = {
  source: 'postgresql',
  asked: 'pg_catalog lookup by name',
  code: 'row',
  principal: 'reader',
  fingerprint: 'f1',
  strength: 'conclusive',
};

export const present = (uid?: string): Verdict => ({
  kind: 'present',
  code: 'row',
  found: 'table',
  ...(uid === undefined ? {} : { uid }),
});
export const absent = (uid?: string): Verdict => ({
  kind: 'absent',
  code: 'no-row',
  ...(uid === undefined ? {} : { uid }),
});
export const unknown = (code = 'timeout'): Verdict => ({ kind: 'unknown', code });
export const replaced = (uid: string): Verdict => ({ kind: 'replaced', code: 'row', found: 'table', uid });

/** One registration and what a round sees of it; its entity is `id of <path>` unless it says otherwise. */
export interface Seen {
  readonly path: string;
  readonly verdict?: Verdict;
  readonly entity?: string;
  readonly kind?: EntityKind;
  readonly mark?: Mark;
  readonly version?: string;
  readonly createdAt?: number;
  readonly location?: string;
  readonly evidence?: Evidence;
}

export function at(text: string): Path {
  const path = parsePathText(text);
  if (path === undefined) throw new Error(`${text} is no path`);
  return path;
}

export function snapshotRow(row: number, seen: Seen): SnapshotRow {
  return {
    row,
    entity: seen.entity ?? `id of ${seen.path}`,
    kind: seen.kind ?? (seen.path.includes('/') ? 'table' : 'schema'),
    path: at(seen.path),
    version: seen.version ?? 'v1',
    createdAt: seen.createdAt ?? t0 - 30 * day,
    mark: seen.mark ?? 'probe',
    ...(seen.location === undefined ? {} : { location: seen.location }),
  };
}

export function openInput(id: string, over: Partial<OpenRound> = {}): OpenRound {
  const now = over.now ?? t0;
  return {
    id,
    catalog: shop,
    dry: false,
    trigger: 'schedule',
    requestedBy: reconciler,
    workflowId: 'round/lake/shop',
    now,
    nominalAt: now,
    ...over,
  };
}

export async function look(ledger: Ledger, round: string, seen: readonly Seen[], now = t0): Promise<void> {
  await ledger.rounds.appendSnapshot(
    round,
    seen.map((one, row) => snapshotRow(row, one)),
  );
  await ledger.rounds.recordVerdicts(
    round,
    seen.flatMap(({ verdict, evidence }, row) =>
      verdict === undefined ? [] : [{ row, verdict, evidence: evidence ?? proof, probedAt: now }],
    ),
  );
}

export interface Eyes {
  readonly now: number;
  readonly epoch: string;
  readonly policy: Policy;
}

/** So small that every test pages. */
const pageOfRows = 2;

/**
 * Judges as the activity does: every row that is asked for, page by page, then what is no longer registered.
 *
 * @param pages breaks off after so many
 */
export async function judge(ledger: Ledger, opened: OpenedRound, eyes: Eyes, pages?: number): Promise<void> {
  let page = 0;
  for (let after: Path | undefined; page !== pages; page += 1) {
    const rows = await ledger.rounds.toJudge(opened.id, {
      ...(after === undefined ? {} : { after }),
      limit: pageOfRows,
    });
    await ledger.rounds.recordJudgements(
      opened.id,
      rows.flatMap((row) => judgementOf(row, opened, eyes)),
    );
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.path;
  }
  if (page === pages) return;
  const gone = await ledger.rounds.unregistered(opened.id);
  await ledger.rounds.recordJudgements(
    opened.id,
    gone.map(({ entity }) => closing(entity)),
  );
}

export function judgingRound(opened: OpenedRound, { now, epoch, policy }: Eyes): JudgingRound {
  const { seq, intervalMs, afterComplete } = opened;
  return { seq, now, epoch, intervalMs, afterComplete, knownControls: true, policy };
}

function judgementOf(row: JudgeRow, opened: OpenedRound, eyes: Eyes): readonly Judgement[] {
  if (row.before?.intentOpen === true) return [];
  const verdict = row.mark === 'probe' && row.verdict !== undefined ? row.verdict : ({ kind: 'not-judged' } as const);
  const move = moveFinding(
    row.before?.standing,
    { kind: row.kind, verdict, createdAt: row.createdAt, attended: false, returned: row.returned },
    judgingRound(opened, eyes),
  );
  if (move.move === 'none') return [];
  if (move.move === 'close') return [{ ...closing(row.entity), path: row.path, move }];
  return [opening(row, move.standing, { evidence: row.evidence ?? row.before?.evidence ?? '' })];
}

export function opening(
  row: Pick<JudgeRow, 'entity' | 'kind' | 'path' | 'version' | 'createdAt'>,
  standing: Judgement['standing'],
  over: Partial<Judgement> = {},
): Judgement {
  return {
    entity: row.entity,
    kind: row.kind,
    path: row.path,
    version: row.version,
    registeredAt: row.createdAt,
    move: { move: 'open', standing },
    standing,
    digest: digestOf(row, standing),
    evidence: 'seen',
    attachments: 'unseen',
    taken: false,
    inside: 0,
    ...over,
  };
}

function digestOf(
  row: Pick<JudgeRow, 'entity' | 'kind' | 'path' | 'version'>,
  standing: Judgement['standing'],
): string {
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  return findingDigest(
    {
      entityId: row.entity,
      version: row.version,
      path: row.path,
      kind: row.kind,
      epoch: standing.epoch,
      verdict: standing.verdict,
      code: standing.code,
      attachments: attachmentsDigest('unseen', hash),
    },
    hash,
  );
}

export function closing(entity: string, why: 'present' | 'not-registered' = 'not-registered'): Judgement {
  const nothing: Judgement['standing'] = {
    verdict: 'absent',
    code: '',
    misses: 0,
    graceMs: 0,
    epoch: '',
    absentSeq: 0,
    absentAt: 0,
    firstMissedAt: 0,
    due: false,
    ripe: false,
    waits: [],
  };
  return {
    entity,
    kind: 'table',
    path: [entity],
    version: '',
    registeredAt: 0,
    move: { move: 'close', why },
    standing: nothing,
    digest: '',
    evidence: '',
    attachments: 'unseen',
    taken: false,
    inside: 0,
  };
}

export function publishing(id: string, over: Partial<PublishRound> = {}): PublishRound {
  return { id, now: t0, hold: [], epoch: 'e1', fingerprint: 'f1', principal: 'reader', ...over };
}

/** A round from beginning to end. */
export async function wholeRound(
  ledger: Ledger,
  id: string,
  seen: readonly Seen[],
  over: Partial<Eyes> &
    Pick<Partial<PublishRound>, 'hold' | 'guard' | 'fingerprint'> & { readonly open?: Partial<OpenRound> } = {},
): Promise<RoundCounts> {
  const { now = t0, epoch = 'e1', policy = defaultPolicy, open, ...rest } = over;
  const opened = await ledger.rounds.open(openInput(id, { now, ...open }));
  await look(ledger, id, seen, now);
  await judge(ledger, opened, { now, epoch, policy });
  return ledger.rounds.publish(publishing(id, { now, epoch, ...rest }));
}

/** Open findings as path texts, in the ledger's order. */
export async function openPaths(ledger: Ledger, catalog = shop): Promise<readonly string[]> {
  const page = await ledger.findings.page({ catalog, state: 'open', limit: 1_000 }, t0);
  return page.map(({ path }) => pathText(path));
}
