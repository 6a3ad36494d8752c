import { randomUUID } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import { type LedgerDatabase, rowsOf } from '../database.ts';
import type { CatalogKey } from '../ledger.ts';

/** What a round changed, counted. */
export interface News {
  readonly opened: number;
  readonly closed: number;
  /** Approvals and rejections whose evidence changed, or whose finding was closed. */
  readonly voided: number;
  /** Lines of history, all of the above among them. */
  readonly transitions: number;
}

interface Moving {
  readonly round: string;
  readonly catalog: CatalogKey;
  readonly now: number;
}

/** Each may touch a finding, a decision and several lines of history: below the rows of one statement all the same. */
const judgementsAtOnce = 2_500;

/** Applies every judgement of the round, in the transaction that publishes it. */
export async function moveFindings(tx: LedgerDatabase, moving: Moving): Promise<News> {
  let news: News = { opened: 0, closed: 0, voided: 0, transitions: 0 };
  for (let after = ''; ; ) {
    const [chunk] = await rowsOf<{ count: number; last: string | null }>(
      tx,
      sql`
        select count(*)::int as count, max(entity) as last from (
          select entity from judgements where round = ${moving.round} and entity > ${after}
          order by entity limit ${judgementsAtOnce}
        ) chunk`,
    );
    if (chunk === undefined || chunk.last === null) return news;
    const ids = Array.from({ length: chunk.count }, () => randomUUID());
    const [moved] = await rowsOf<News>(tx, moveChunk(moving, { after, last: chunk.last, ids }));
    if (moved !== undefined) {
      news = {
        opened: news.opened + moved.opened,
        closed: news.closed + moved.closed,
        voided: news.voided + moved.voided,
        transitions: news.transitions + moved.transitions,
      };
    }
    after = chunk.last;
  }
}

interface Chunk {
  readonly after: string;
  readonly last: string;
  /** One for each judgement, though few of them open a finding. */
  readonly ids: readonly string[];
}

/**
 * One statement, so every part of it sees the findings as they were before. A finding with an open intent belongs to
 * that removal; one that was closed since the registration was listed is not opened anew on an older look.
 */
function moveChunk({ round, catalog, now }: Moving, { after, last, ids }: Chunk): SQL {
  return sql`
    with judged as materialized (
      select j.*, (row_number() over (order by j.entity))::int as number, f.id as open,
        f.standing as was, f.digest as was_digest, f.blocker as was_blocker
      from judgements j
      left join findings f on f.catalog = ${catalog} and f.state = 'open' and f.entity = j.entity
      where j.round = ${round} and j.entity > ${after} and j.entity <= ${last}
        and (f.id is null or not exists (select from intents i where i.finding = f.id and i.state = 'open'))
    ), fresh as materialized (
      select *, (${sql.param(ids)}::text[])[number] as id from judged
      where open is null and finding is null and move = 'open'
    ), opening as (
      insert into findings (id, catalog, entity, kind, path, version, registered_at, standing, digest, evidence,
        attachments, moved_to, taken, uid, carrier, inside, blocker, state, moved_by, opened_at, updated_at)
      select id, catalog, entity, kind, path, version, registered_at, standing, digest, evidence,
        attachments, moved_to, taken, uid, carrier, inside, blocker, 'open', ${round}, ${now}, ${now}
      from fresh
    ), moving as (
      update findings f set
        kind = j.kind, path = j.path, version = j.version, registered_at = j.registered_at, standing = j.standing,
        digest = j.digest, evidence = j.evidence, attachments = j.attachments, moved_to = j.moved_to,
        taken = j.taken, uid = j.uid, carrier = j.carrier, inside = j.inside, blocker = j.blocker,
        moved_by = ${round}, updated_at = ${now}
      from judged j where f.id = j.open and j.move = 'open'
    ), closing as (
      update findings f set
        state = 'closed', closed_why = j.close_why, moved_by = ${round}, updated_at = ${now}
      from judged j where f.id = j.open and j.move = 'close'
    ), voiding as (
      update decisions d set
        state = 'void', state_why = case j.move when 'close' then 'closed' else 'evidence-changed' end
      from judged j
      where d.finding = j.open and d.state = 'active' and d.action <> 'keep'
        and (j.move = 'close' or d.digest <> j.digest)
      returning d.id, d.finding, d.action, d.state_why, j.number
    ), news as (
      ${news()}
    ), telling as (
      insert into transitions (finding, at, round, what, detail)
      select finding, ${now}, ${round}, what, detail from news order by number, turn
      returning what
    )
    select (count(*) filter (where what = 'opened'))::int as opened,
      (count(*) filter (where what = 'closed'))::int as closed,
      (count(*) filter (where what = 'decision-void'))::int as voided,
      count(*)::int as transitions
    from telling`;
}

/** What a reader of a finding's history wants to know. That it was missed once more is not among it. */
function news(): SQL {
  const flag = (standing: string, name: string) =>
    sql`coalesce((${sql.raw(standing)} ->> ${sql.raw(`'${name}'`)})::boolean, false)`;
  return sql`
    select number, 1 as turn, id as finding, 'opened' as what,
      jsonb_build_object('verdict', standing -> 'verdict', 'code', standing -> 'code') as detail
    from fresh
    union all
    select number, 1, open, 'closed', jsonb_build_object('why', close_why)
    from judged where open is not null and move = 'close'
    union all
    select number, 2, open, 'verdict-changed',
      jsonb_build_object('from', was -> 'verdict', 'to', standing -> 'verdict')
    from judged where open is not null and move = 'open' and was ->> 'verdict' <> standing ->> 'verdict'
    union all
    select number, 3, open, 'evidence-changed', jsonb_build_object('from', was_digest, 'to', digest)
    from judged where open is not null and move = 'open' and was_digest <> digest
    union all
    select number, 4, finding, 'decision-void', jsonb_build_object('decision', id, 'action', action, 'why', state_why)
    from voiding
    union all
    select number, 5, coalesce(open, id), 'ripe', jsonb_build_object('misses', standing -> 'misses')
    from ${open()} where ${flag('standing', 'ripe')} and not ${flag('was', 'ripe')}
    union all
    select number, 6, coalesce(open, id), 'due', jsonb_build_object('dueAt', standing -> 'dueAt')
    from ${open()} where ${flag('standing', 'due')} and not ${flag('was', 'due')}
    union all
    select number, 7, coalesce(open, id), 'blocked', blocker
    from ${open()} where blocker is not null and was_blocker is null
    union all
    select number, 7, coalesce(open, id), 'returned', '{}'::jsonb
    from ${open()} where standing -> 'waits' @> '["returned"]' and not coalesce(was -> 'waits' @> '["returned"]', false)
    union all
    select number, 8, open, 'unblocked', was_blocker
    from judged where open is not null and move = 'open' and blocker is null and was_blocker is not null`;
}

/** Findings that are open after the round, new ones and old. */
function open(): SQL {
  return sql`(
    select number, open, null as id, standing, was, blocker, was_blocker from judged
    where open is not null and move = 'open'
    union all
    select number, null, id, standing, null, blocker, null from fresh
  ) standing_open`;
}
