import { sql } from 'drizzle-orm';
import type { Standing } from '../../domain/finding.ts';
import { ReconcilerFailure } from '../../domain/failure.ts';
import { type Path, pathText } from '../../domain/path.ts';
import type { EntityKind } from '../../domain/registration.ts';
import type { Mark } from '../../domain/scope.ts';
import { type LedgerDatabase, rowsAStatement, rowsOf } from '../database.ts';
import { fromJson, toJsonText } from '../json-text.ts';
import type { CatalogKey, Judgement, JudgeRow } from '../ledger.ts';
import { readPath, readVerdict, type VerdictColumns } from '../rows.ts';
import { listingOf, runningRound, superseded, verdictOf, wasRemoved } from './running.ts';

type JudgeColumns = {
  readonly entity: string;
  readonly kind: EntityKind;
  readonly path: string;
  readonly version: string;
  readonly created_at: number | string;
  readonly mark: Mark;
  readonly evidence: string | null;
  readonly finding: string | null;
  readonly standing: unknown;
  readonly finding_evidence: string | null;
  readonly finding_moved_to: string | null;
  readonly finding_taken: boolean | null;
  readonly intent_open: boolean;
  readonly returned: boolean;
} & (VerdictColumns | { readonly verdict: null });

/**
 * Two short lists, each from an index of its own, merged in order of path: what is not present, and what has a finding.
 * A registration whose finding was closed since it was listed is left out: it was removed, or settled by a person, after
 * this round had looked, and this round knows nothing new about it.
 */
export async function toJudge(
  db: LedgerDatabase,
  round: string,
  { after, limit }: { readonly after?: Path; readonly limit: number },
): Promise<readonly JudgeRow[]> {
  const from = after === undefined ? '' : pathText(after);
  const rows = await rowsOf<JudgeColumns>(
    db,
    sql`
      with page as (
        select row, path from (
          (
            select v.row, v.path from verdicts v cross join lateral ${listingOf(round)} s
            where v.round = ${round} and v.path is not null and v.path > ${from} and (
              s.finding is null or exists (select from findings f where f.id = s.finding and f.state = 'open')
            )
            order by v.path limit ${limit}
          ) union (
            select s.row, s.path from snapshot s
            where s.round = ${round} and s.finding is not null and s.path > ${from}
              and exists (select from findings f where f.id = s.finding and f.state = 'open')
            order by s.path limit ${limit}
          )
        ) either order by path limit ${limit}
      )
      select s.entity, s.kind, s.path, s.version, s.created_at, s.mark,
        v.verdict, v.code, v.found, v.uid, v.moved_to, v.taken, v.evidence,
        f.id as finding, f.standing, f.evidence as finding_evidence,
        f.moved_to as finding_moved_to, f.taken as finding_taken,
        exists (select from intents i where i.finding = f.id and i.state = 'open') as intent_open,
        v.verdict is not distinct from 'absent' and ${wasRemoved(round, sql`s.entity`)} as returned
      from page
      cross join lateral (select * from snapshot where round = ${round} and row = page.row offset 0) s
      left join lateral ${verdictOf(round)} v on true
      left join findings f on f.id = s.finding
      order by s.path`,
  );
  return rows.map(readJudgeRow);
}

function readJudgeRow(row: JudgeColumns): JudgeRow {
  return {
    entity: row.entity,
    kind: row.kind,
    path: readPath(row.path),
    version: row.version,
    createdAt: Number(row.created_at),
    mark: row.mark,
    ...(row.verdict === null ? {} : { verdict: readVerdict(row) }),
    ...(row.evidence === null ? {} : { evidence: row.evidence }),
    returned: row.returned,
    ...(row.finding === null
      ? {}
      : {
          before: {
            id: row.finding,
            standing: fromJson(row.standing) as Standing,
            evidence: row.finding_evidence ?? '',
            ...(row.finding_moved_to === null ? {} : { movedTo: readPath(row.finding_moved_to) }),
            taken: row.finding_taken === true,
            intentOpen: row.intent_open,
          },
        }),
  };
}

/** Open findings that nothing in the snapshot took along. */
export async function unregistered(
  db: LedgerDatabase,
  round: string,
  catalog: CatalogKey,
): Promise<readonly { readonly entity: string }[]> {
  const gone: { readonly entity: string }[] = [];
  for (let after = ''; ; ) {
    const rows = await rowsOf<{ entity: string; gone: boolean }>(
      db,
      sql`
        select f.entity, not exists (select from snapshot s where s.round = ${round} and s.finding = f.id) as gone
        from findings f
        where f.catalog = ${catalog} and f.state = 'open' and f.entity > ${after}
        order by f.entity limit ${rowsAStatement}`,
    );
    for (const { entity, gone: isGone } of rows) if (isGone) gone.push({ entity });
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsAStatement) return gone;
    after = last.entity;
  }
}

export async function recordJudgements(
  db: LedgerDatabase,
  round: string,
  judgements: readonly Judgement[],
): Promise<void> {
  if (judgements.length === 0) return;
  if (new Set(judgements.map(({ entity }) => entity)).size < judgements.length) throw sharedIdentity(round);
  const [answer] = await rowsOf<{ running: number; written: number }>(
    db,
    sql`
      with ${runningRound(round)}, written as (
        insert into judgements (round, catalog, entity, kind, path, version, registered_at, standing, digest, evidence,
          attachments, moved_to, taken, uid, carrier, inside, blocker, move, close_why, finding)
        select ${round}, running.catalog, j.entity, j.kind, j.path, j.version, j.registered, j.standing::jsonb, j.digest,
          j.evidence, j.attachments::jsonb, j.moved_to, j.taken, j.uid, j.carrier, j.inside, j.blocker::jsonb, j.move, j.close_why,
          s.finding
        from running
        cross join json_to_recordset(${JSON.stringify(judgements.map(judgementColumns))}::json) as j
          (entity text, kind text, path text, version text, registered bigint, standing text, digest text,
           evidence text, attachments text, moved_to text, taken boolean, uid text, carrier text, inside int,
           blocker text, move text, close_why text)
        left join snapshot s on s.round = ${round} and s.path = j.path and s.entity = j.entity
        on conflict (round, entity) do update set
          kind = excluded.kind, version = excluded.version, registered_at = excluded.registered_at,
          standing = excluded.standing, digest = excluded.digest, evidence = excluded.evidence,
          attachments = excluded.attachments, moved_to = excluded.moved_to, taken = excluded.taken,
          uid = excluded.uid, carrier = excluded.carrier, inside = excluded.inside, blocker = excluded.blocker,
          move = excluded.move, close_why = excluded.close_why, finding = excluded.finding
        where judgements.path = excluded.path
        returning 1
      )
      select (select count(*) from running)::int as running, (select count(*) from written)::int as written`,
  );
  if (answer?.running !== 1) throw superseded(round);
  if (answer.written < judgements.length) throw sharedIdentity(round);
}

function judgementColumns(judgement: Judgement) {
  const { move, blocker } = judgement;
  return {
    entity: judgement.entity,
    kind: judgement.kind,
    path: pathText(judgement.path),
    version: judgement.version,
    registered: judgement.registeredAt,
    standing: toJsonText(judgement.standing),
    digest: judgement.digest,
    evidence: judgement.evidence,
    attachments: toJsonText(judgement.attachments),
    ...(judgement.movedTo === undefined ? {} : { moved_to: pathText(judgement.movedTo) }),
    taken: judgement.taken,
    ...(judgement.uid === undefined ? {} : { uid: judgement.uid }),
    ...(judgement.carrier === undefined ? {} : { carrier: pathText(judgement.carrier) }),
    inside: judgement.inside,
    ...(blocker === undefined ? {} : { blocker: toJsonText(blocker) }),
    move: move.move,
    ...(move.move === 'close' ? { close_why: move.why } : {}),
  };
}

/** One id at two paths: neither answer can be told to be about the registration that a removal would name by id. */
function sharedIdentity(round: string): ReconcilerFailure {
  return new ReconcilerFailure(
    'SnapshotIncomplete',
    'one-id-twice',
    `the registry listed two registrations under one id in round ${round}`,
  );
}
