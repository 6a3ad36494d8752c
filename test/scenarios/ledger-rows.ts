import { sql } from 'drizzle-orm';
import type { DecisionAction } from '../../src/domain/decision.ts';
import type { Standing } from '../../src/domain/finding.ts';
import type { HoldReason } from '../../src/domain/guard.ts';
import type { Policy } from '../../src/domain/policy.ts';
import type { EntityKind, ObjectKind } from '../../src/domain/registration.ts';
import type { IntentAction, RemovalOutcome } from '../../src/domain/removal.ts';
import type { Mark } from '../../src/domain/scope.ts';
import type { VerdictKind } from '../../src/domain/verdict.ts';
import { type LedgerDatabase, rowsOf } from '../../src/ledger/database.ts';

/** Rows as they stand in the tables, read past the code that is under test. */
export interface CatalogRows {
  readonly catalog: {
    readonly state: string;
    readonly hold: readonly HoldReason[];
    readonly pause: unknown;
    readonly stop: unknown;
    readonly published_round: string | null;
    readonly published_at: number | null;
    readonly epoch: string | null;
    readonly fingerprint: string | null;
  } | null;
  readonly findings: readonly FindingRow[];
  readonly decisions: readonly DecisionRow[];
  readonly intents: readonly IntentRow[];
  readonly removals: readonly RemovalRow[];
  readonly rounds: readonly RoundRow[];
  readonly overrides: readonly OverrideRow[];
  readonly restores: readonly RestoreRow[];
  readonly policies: readonly { readonly version: number; readonly body: Policy }[];
  /** Audit lines as text, oldest first. */
  readonly audit: readonly { readonly action: string; readonly subject: string; readonly line: string }[];
}

export interface FindingRow {
  readonly id: string;
  readonly entity: string;
  readonly kind: EntityKind;
  readonly path: string;
  readonly registered_at: number;
  readonly standing: Standing;
  readonly digest: string;
  readonly moved_to: string | null;
  readonly taken: boolean;
  readonly carrier: string | null;
  readonly blocker: unknown;
  readonly inside: number;
  readonly state: 'open' | 'closed';
  readonly moved_by: string;
}

export interface DecisionRow {
  readonly id: string;
  readonly finding: string;
  readonly entity: string;
  readonly digest: string;
  readonly action: DecisionAction;
  readonly actor: { readonly name: string };
  readonly expires_at: number | null;
  readonly keep_until: number | null;
  readonly request_key: string;
  readonly state: 'active' | 'void' | 'consumed';
  readonly state_why: string | null;
}

export interface IntentRow {
  readonly id: string;
  readonly finding: string;
  readonly entity: string;
  readonly path: string;
  readonly action: IntentAction;
  readonly moved_to: string | null;
  readonly digest: string;
  readonly decision: string | null;
  readonly actor: { readonly name: string };
  readonly round: string;
  readonly opened_at: number;
  readonly act_before: number;
  readonly state: 'open' | 'settled';
  readonly outcome: RemovalOutcome | null;
}

export interface RemovalRow {
  readonly id: string;
  readonly entity: string;
  readonly actor: { readonly name: string };
  readonly outcome: RemovalOutcome;
  readonly reason: string;
  readonly action: IntentAction;
  readonly at: number;
  readonly entities: number;
  /** Whether its evidence is there to be read. */
  readonly proven: boolean;
}

export interface RoundRow {
  readonly id: string;
  readonly seq: number;
  readonly dry: boolean;
  readonly state: string;
  readonly policy_version: number;
  readonly epoch: string | null;
  readonly hold: readonly HoldReason[];
}

export interface OverrideRow {
  readonly id: string;
  readonly admits: readonly { readonly finding: string; readonly digest: string }[];
  readonly max_count: number;
  readonly used: number;
  readonly expires_at: number;
  readonly state: 'requested' | 'active';
  readonly actor: { readonly name: string };
  readonly approved_by: { readonly name: string } | null;
}

export interface RestoreRow {
  readonly id: string;
  readonly state: 'requested' | 'settled';
  readonly outcome: string | null;
}

/** Everything that is small about one catalog, in one question. */
export async function catalogRows(db: LedgerDatabase, key: string): Promise<CatalogRows> {
  const all = (table: string, order: string) =>
    sql`(select coalesce(json_agg(row_to_json(t) order by ${sql.raw(order)}), '[]') from ${sql.raw(table)} t where t.catalog = ${key})`;
  const [row] = await rowsOf<{ rows: CatalogRows }>(
    db,
    sql`
      select json_build_object(
        'catalog', (select row_to_json(c) from catalogs c where c.key = ${key}),
        'findings', ${all('findings', 'id')},
        'decisions', ${all('decisions', 'at, id')},
        'intents', ${all('intents', 'opened_at, id')},
        'removals', ${all('(select r.*, exists (select from evidence e where e.digest = r.evidence) as proven from removals r)', 'at, id')},
        'rounds', ${all('rounds', 'seq, id')},
        'overrides', ${all('overrides', 'at, id')},
        'restores', ${all('restores', 'at, id')},
        'policies', ${all('policies', 'version')},
        'audit', (
          select coalesce(json_agg(json_build_object('action', a.action, 'subject', a.subject, 'line', a::text) order by a.id), '[]')
          from audit a where a.catalog = ${key}
        )
      ) as rows`,
  );
  if (row === undefined) throw new Error('a question without an answer');
  return row.rows;
}

/** A registration of a round's snapshot with what was concluded about it. */
export interface JudgedRow {
  readonly entity: string;
  readonly kind: EntityKind;
  readonly path: string;
  readonly mark: Mark;
  readonly verdict: VerdictKind | null;
  readonly uid: string | null;
  readonly found: ObjectKind | null;
}

export function judgedRows(db: LedgerDatabase, round: string): Promise<readonly JudgedRow[]> {
  return rowsOf<JudgedRow>(
    db,
    sql`
      select s.entity, s.kind, s.path, s.mark, v.verdict, v.uid, v.found
      from snapshot s left join verdicts v on v.round = s.round and v.row = s.row
      where s.round = ${round} order by s.row`,
  );
}

/** What was saved of an intent's registrations, by entity, as canonical JSON text. */
export async function savedBodies(db: LedgerDatabase, intent: string): Promise<ReadonlyMap<string, unknown>> {
  const rows = await rowsOf<{ entity: string; body: unknown }>(
    db,
    sql`select entity, body from saved_attachments where intent = ${intent}`,
  );
  return new Map(rows.map(({ entity, body }) => [entity, body]));
}
