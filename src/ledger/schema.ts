import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  boolean,
  customType,
  index,
  integer,
  pgSequence,
  pgTable,
  primaryKey,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { Actor } from '../domain/actor.ts';
import type { Blocker } from '../domain/containers.ts';
import type { DecisionAction } from '../domain/decision.ts';
import type { Standing } from '../domain/finding.ts';
import type { HoldReason } from '../domain/guard.ts';
import type { Policy } from '../domain/policy.ts';
import type { Attachments, EntityKind, ObjectKind } from '../domain/registration.ts';
import type { IntentAction, RemovalOutcome } from '../domain/removal.ts';
import type { RestoreOutcome, RestoreWarning } from '../domain/restore.ts';
import type { Mark } from '../domain/scope.ts';
import type { Evidence, VerdictKind } from '../domain/verdict.ts';
import { fromJson, toJsonText } from './json-text.ts';
import type { KeptAnswer } from './request-key-ledger.ts';
import type { CatalogState, Pause, RoundCounts, RoundReason, RoundState, RoundTrigger } from './records.ts';

/**
 * Texts compare by code point, whatever the database's own collation is. Only then does a container's contents lie
 * between two bounds; and ids, of which there are millions, are found much sooner without the rules of a language.
 */
const text = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });

/** Any value of ours, odd names in it included; see json-text.ts. */
const jsonb = customType<{ data: unknown; driverData: unknown }>({
  dataType: () => 'jsonb',
  toDriver: toJsonText,
  fromDriver: fromJson,
});

/** Unix milliseconds. Every one comes from a caller's clock; the database's own is never asked. */
const time = (name: string) => bigint(name, { mode: 'number' });

/** One row a catalog that was ever looked at: where its rounds stand and what holds its removals. */
export const catalogs = pgTable('catalogs', {
  /** `metalake/catalog` as a path text. */
  key: text('key').primaryKey(),
  metalake: text('metalake').notNull(),
  name: text('name').notNull(),
  /** Numbers every round that is meant to judge, complete or not. */
  roundSeq: integer('round_seq').notNull().default(0),
  /** The last round that was published: its id, number and time. */
  publishedRound: text('published_round'),
  publishedSeq: integer('published_seq').notNull().default(0),
  publishedAt: time('published_at'),
  epoch: text('epoch'),
  fingerprint: text('fingerprint'),
  principal: text('principal'),
  state: text('state').$type<CatalogState>().notNull().default('never-scanned'),
  stateReason: jsonb('state_reason').$type<RoundReason>(),
  stateSince: time('state_since').notNull(),
  /** Empty where removals may go on. Flipped together with the published round. */
  hold: jsonb('hold').$type<readonly HoldReason[]>().notNull().default([]),
  pause: jsonb('pause').$type<Pause>(),
  /** Why the removal loop stopped by itself; a published round or a person clears it. */
  stop: jsonb('stop').$type<{ reason: string; at: number }>(),
});

export const rounds = pgTable(
  'rounds',
  {
    /** The run id of the workflow, so that a repeated opening opens nothing twice. */
    id: text('id').primaryKey(),
    catalog: text('catalog').notNull(),
    /** 0 for a dry scan. */
    seq: integer('seq').notNull(),
    dry: boolean('dry').notNull(),
    trigger: text('trigger').$type<RoundTrigger>().notNull(),
    requestedBy: jsonb('requested_by').$type<Actor>().notNull(),
    workflowId: text('workflow_id').notNull(),
    state: text('state').$type<RoundState>().notNull(),
    reason: jsonb('reason').$type<RoundReason>(),
    intervalMs: time('interval_ms').notNull(),
    nominalAt: time('nominal_at').notNull(),
    startedAt: time('started_at').notNull(),
    endedAt: time('ended_at'),
    policyVersion: integer('policy_version').notNull(),
    epoch: text('epoch'),
    fingerprint: text('fingerprint'),
    counts: jsonb('counts').$type<RoundCounts>(),
    hold: jsonb('hold').$type<readonly HoldReason[]>().notNull().default([]),
    /** Nothing of its snapshot, verdicts and judgements is left. */
    tidied: boolean('tidied').notNull().default(false),
  },
  (t) => [
    index('rounds_by_catalog').on(t.catalog, t.startedAt, t.id),
    // tidying must not look at the whole history of a catalog to find the few rounds that still hold rows
    index('rounds_untidied').on(t.catalog).where(sql`not tidied`),
  ],
);

/** Every registration that a round found in the registry; kept for the published round and those at work. */
export const snapshot = pgTable(
  'snapshot',
  {
    round: text('round').notNull(),
    row: integer('row').notNull(),
    entity: text('entity').notNull(),
    kind: text('kind').$type<EntityKind>().notNull(),
    path: text('path').notNull(),
    version: text('version').notNull(),
    createdAt: time('created_at').notNull(),
    mark: text('mark').$type<Mark>().notNull(),
    /** Where its storage is, if the registry tells. */
    location: text('location'),
    /** The finding that was open on it when it was listed. */
    finding: text('finding'),
  },
  (t) => [
    primaryKey({ columns: [t.round, t.row] }),
    uniqueIndex('snapshot_by_path').on(t.round, t.path),
    // the few rows with a finding, without looking at the many that have none: for judging in order of path, and for
    // findings whose registration is gone
    index('snapshot_found').on(t.round, t.path).where(sql`finding is not null`),
    index('snapshot_by_finding').on(t.round, t.finding).where(sql`finding is not null`),
  ],
);

/** What a round concluded about a row of its snapshot. */
export const verdicts = pgTable(
  'verdicts',
  {
    round: text('round').notNull(),
    row: integer('row').notNull(),
    /** Of one that is neither present nor unknown only; the snapshot has all paths. */
    path: text('path'),
    verdict: text('verdict').$type<VerdictKind>().notNull(),
    code: text('code').notNull(),
    found: text('found').$type<ObjectKind>(),
    uid: text('uid'),
    movedTo: text('moved_to'),
    taken: boolean('taken'),
    evidence: text('evidence').notNull(),
    /** Present with an identity that is perhaps not the remembered one: publishing compares these, and only these. */
    fresh: boolean('fresh').notNull(),
    probedAt: time('probed_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.round, t.row] }),
    // each holds only the few rows that its question is about, so that the many present ones cost nothing
    index('verdicts_not_present').on(t.round, t.path).where(sql`path is not null`),
    index('verdicts_waiting').on(t.round, t.row).where(sql`verdict = 'unknown' and code = 'parent-absent'`),
    index('verdicts_fresh').on(t.round, t.row).where(sql`fresh`),
    index('verdicts_moved').on(t.round, t.row).where(sql`verdict = 'absent' and uid is not null`),
  ],
);

/** Evidence, once per digest. */
export const evidence = pgTable('evidence', {
  digest: text('digest').primaryKey(),
  body: jsonb('body').$type<Evidence>().notNull(),
});

/** Whom the last complete round saw behind a registration; compared only under one fingerprint. */
export const identities = pgTable(
  'identities',
  {
    catalog: text('catalog').notNull(),
    entity: text('entity').notNull(),
    uid: text('uid'),
    found: text('found').$type<ObjectKind>().notNull(),
    fingerprint: text('fingerprint').notNull(),
  },
  (t) => [primaryKey({ columns: [t.catalog, t.entity] })],
);

/** Columns that a finding and a judgement about it share. */
const findingColumns = {
  catalog: text('catalog').notNull(),
  entity: text('entity').notNull(),
  kind: text('kind').$type<EntityKind>().notNull(),
  path: text('path').notNull(),
  version: text('version').notNull(),
  registeredAt: time('registered_at').notNull(),
  standing: jsonb('standing').$type<Standing>().notNull(),
  digest: text('digest').notNull(),
  evidence: text('evidence').notNull(),
  attachments: jsonb('attachments').$type<Attachments | 'unseen'>().notNull(),
  movedTo: text('moved_to'),
  taken: boolean('taken').notNull().default(false),
  uid: text('uid'),
  /** The outermost absent container that carries this one. */
  carrier: text('carrier'),
  /** For a container: how many registrations are inside, and the first one that blocks it. */
  inside: integer('inside').notNull().default(0),
  blocker: jsonb('blocker').$type<Blocker>(),
};

export const findings = pgTable(
  'findings',
  {
    id: text('id').primaryKey(),
    ...findingColumns,
    state: text('state').$type<'open' | 'closed'>().notNull(),
    closedWhy: text('closed_why'),
    /** The published round that moved it last. */
    movedBy: text('moved_by').notNull(),
    openedAt: time('opened_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('findings_one_open').on(t.catalog, t.entity).where(sql`state = 'open'`),
    index('findings_page').on(t.catalog, t.state, t.path, t.id),
    // what the removal loop asks for at each of its steps
    index('findings_due').on(t.catalog, t.path).where(sql`state = 'open' and standing ->> 'due' = 'true'`),
    // a page of a rare kind or verdict must not read past a million others
    index('findings_by_kind').on(t.catalog, t.state, t.kind, t.path, t.id),
    index('findings_by_verdict').on(t.catalog, t.state, sql`(standing ->> 'verdict')`, t.path, t.id),
  ],
);

/**
 * What a judging round will do to findings once it is published. Until then nothing has moved, so a pass that is
 * repeated or a round that never gets there leaves every finding as it was.
 */
export const judgements = pgTable(
  'judgements',
  {
    round: text('round').notNull(),
    ...findingColumns,
    move: text('move').$type<'open' | 'close'>().notNull(),
    closeWhy: text('close_why'),
    /** The finding that was open when the registration was listed; where it was closed since, nothing is opened anew. */
    finding: text('finding'),
  },
  (t) => [primaryKey({ columns: [t.round, t.entity] })],
);

/** History of findings: what changed, never that nothing did. */
export const transitions = pgTable(
  'transitions',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    finding: text('finding').notNull(),
    at: time('at').notNull(),
    round: text('round'),
    what: text('what').notNull(),
    detail: jsonb('detail').$type<Record<string, unknown>>().notNull(),
  },
  (t) => [index('transitions_by_finding').on(t.finding, t.id)],
);

export const decisions = pgTable(
  'decisions',
  {
    id: text('id').primaryKey(),
    catalog: text('catalog').notNull(),
    finding: text('finding').notNull(),
    entity: text('entity').notNull(),
    digest: text('digest').notNull(),
    action: text('action').$type<DecisionAction>().notNull(),
    actor: jsonb('actor').$type<Actor>().notNull(),
    reason: text('reason'),
    /** The caller's idempotency key: the same key for the same finding decides once. */
    requestKey: text('request_key').notNull(),
    at: time('at').notNull(),
    /** An approval that was not carried out by then is void. */
    expiresAt: time('expires_at'),
    keepUntil: time('keep_until'),
    /** The standing order that this keep follows; absent where a person decided about this very registration. */
    pattern: text('pattern'),
    state: text('state').$type<'active' | 'void' | 'consumed'>().notNull(),
    stateWhy: text('state_why'),
  },
  (t) => [
    uniqueIndex('decisions_once').on(t.catalog, t.requestKey, t.finding),
    index('decisions_by_finding').on(t.finding),
    index('decisions_active').on(t.catalog, t.entity).where(sql`state = 'active'`),
  ],
);

/** A person's standing order to keep whatever matches a pattern: each open finding that does gets a keep of its own. */
export const keepPatterns = pgTable(
  'keep_patterns',
  {
    id: text('id').primaryKey(),
    catalog: text('catalog').notNull(),
    pattern: text('pattern').notNull(),
    actor: jsonb('actor').$type<Actor>().notNull(),
    reason: text('reason'),
    at: time('at').notNull(),
    /** Absent for good. */
    keepUntil: time('keep_until'),
    /** When and by whom it was taken back. */
    endedAt: time('ended_at'),
    endedBy: jsonb('ended_by').$type<Actor>(),
  },
  (t) => [index('keep_patterns_by_catalog').on(t.catalog, t.at)],
);

/** A person's leave for held findings, by id and digest, up to a count, until it expires. */
export const overrides = pgTable('overrides', {
  id: text('id').primaryKey(),
  catalog: text('catalog').notNull(),
  actor: jsonb('actor').$type<Actor>().notNull(),
  reason: text('reason').notNull(),
  admits: jsonb('admits').$type<readonly { finding: string; digest: string }[]>().notNull(),
  maxCount: integer('max_count').notNull(),
  used: integer('used').notNull().default(0),
  at: time('at').notNull(),
  expiresAt: time('expires_at').notNull(),
  /** Under four eyes it admits nothing before somebody else approved it. */
  state: text('state').$type<'requested' | 'active'>().notNull().default('active'),
  approvedBy: jsonb('approved_by').$type<Actor>(),
  approvedAt: time('approved_at'),
});

/** Every effective policy that a catalog ever had. The highest version counts. */
export const policies = pgTable(
  'policies',
  {
    catalog: text('catalog').notNull(),
    version: integer('version').notNull(),
    body: jsonb('body').$type<Policy>().notNull(),
    /** The gap between two rounds as scheduled when this version was written. */
    intervalMs: time('interval_ms').notNull(),
    actor: jsonb('actor').$type<Actor>().notNull(),
    at: time('at').notNull(),
    /** What the configuration said then, where somebody changed the policy beside it; absent where the body is that. */
    configured: jsonb('configured').$type<Policy>(),
    reason: text('reason'),
  },
  (t) => [primaryKey({ columns: [t.catalog, t.version] })],
);

/** Written before anything is sent to a registry; open until the world has been looked at. */
export const intents = pgTable(
  'intents',
  {
    id: text('id').primaryKey(),
    catalog: text('catalog').notNull(),
    action: text('action').$type<IntentAction>().notNull().default('remove'),
    finding: text('finding').notNull(),
    entity: text('entity').notNull(),
    kind: text('kind').$type<EntityKind>().notNull(),
    path: text('path').notNull(),
    /** The new name, where the registration is to be re-pointed. */
    movedTo: text('moved_to'),
    version: text('version').notNull(),
    digest: text('digest').notNull(),
    /** Absent where the policy alone asked for it. */
    decision: text('decision'),
    actor: jsonb('actor').$type<Actor>().notNull(),
    round: text('round').notNull(),
    openedAt: time('opened_at').notNull(),
    /** Nothing is sent to the registry after this. */
    actBefore: time('act_before').notNull(),
    state: text('state').$type<'open' | 'settled'>().notNull(),
    outcome: text('outcome').$type<RemovalOutcome>(),
    settledAt: time('settled_at'),
  },
  (t) => [
    uniqueIndex('intents_one_open').on(t.catalog).where(sql`state = 'open'`),
    index('intents_by_finding').on(t.finding),
  ],
);

/** One row a settled intent: what was removed, or why it was not. */
export const removals = pgTable(
  'removals',
  {
    /** The intent's id. */
    id: text('id').primaryKey(),
    catalog: text('catalog').notNull(),
    action: text('action').$type<IntentAction>().notNull().default('remove'),
    finding: text('finding').notNull(),
    entity: text('entity').notNull(),
    kind: text('kind').$type<EntityKind>().notNull(),
    path: text('path').notNull(),
    movedTo: text('moved_to'),
    actor: jsonb('actor').$type<Actor>().notNull(),
    outcome: text('outcome').$type<RemovalOutcome>().notNull(),
    reason: text('reason').notNull(),
    /** Registrations that went with it, itself included. */
    entities: integer('entities').notNull(),
    evidence: text('evidence').notNull(),
    at: time('at').notNull(),
  },
  (t) => [index('removals_by_catalog').on(t.catalog, t.at.desc().nullsFirst(), t.id)],
);

/** What was attached to removed registrations, so that it can be given back. Never a secret. */
export const savedAttachments = pgTable(
  'saved_attachments',
  {
    intent: text('intent').notNull(),
    entity: text('entity').notNull(),
    kind: text('kind').$type<EntityKind>().notNull(),
    path: text('path').notNull(),
    version: text('version').notNull(),
    body: jsonb('body').$type<Attachments | 'unseen'>().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.intent, t.entity] }),
    // whether a registration was removed before, asked for each that is judged absent
    index('saved_attachments_by_entity').on(t.entity),
  ],
);

/** A person's wish to have a removal undone, and what became of it. */
export const restores = pgTable(
  'restores',
  {
    id: text('id').primaryKey(),
    catalog: text('catalog').notNull(),
    /** The removal that is undone, with everything that went with it. */
    removal: text('removal').notNull(),
    actor: jsonb('actor').$type<Actor>().notNull(),
    reason: text('reason'),
    at: time('at').notNull(),
    state: text('state').$type<'requested' | 'settled'>().notNull(),
    outcome: text('outcome').$type<RestoreOutcome>(),
    outcomeReason: text('outcome_reason'),
    /** What could not be given back, item by item. */
    warnings: jsonb('warnings').$type<readonly RestoreWarning[]>().notNull().default([]),
    entities: integer('entities').notNull().default(0),
    settledAt: time('settled_at'),
  },
  (t) => [
    index('restores_by_catalog').on(t.catalog, t.at),
    uniqueIndex('restores_one_requested').on(t.removal).where(sql`state = 'requested'`),
  ],
);

/** The numbers of the feed of the audit, in the order in which readers may see them. */
export const auditFeed = pgSequence('audit_feed');

/** Who did what, when, to what and why. Append-only. */
export const audit = pgTable(
  'audit',
  {
    /** Counts attempts to write, in no order that a reader could go by: who took a lower one may commit later. */
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    /** Its place in the feed, given once it is committed; see audit.ts. */
    feed: bigint('feed', { mode: 'number' }),
    at: time('at').notNull(),
    catalog: text('catalog'),
    actor: jsonb('actor').$type<Actor>().notNull(),
    action: text('action').notNull(),
    subject: text('subject').notNull(),
    detail: jsonb('detail').$type<Record<string, unknown>>().notNull(),
  },
  (t) => [
    index('audit_by_catalog').on(t.catalog, t.id),
    uniqueIndex('audit_by_feed').on(t.feed),
    index('audit_by_catalog_feed').on(t.catalog, t.feed),
    index('audit_unfed').on(t.id).where(sql`feed is null`),
  ],
);

/** What was sent under a caller's idempotency key, and what was answered. Kept for a limited time. */
export const requestKeys = pgTable(
  'request_keys',
  {
    /** `metalake/catalog` as a path text. */
    scope: text('scope').notNull(),
    key: text('key').notNull(),
    /** Digest of who sent what to which address. */
    fingerprint: text('fingerprint').notNull(),
    /** Of the attempt that is under way, so that only it settles the key. */
    attempt: text('attempt').notNull(),
    answer: jsonb('answer').$type<KeptAnswer>(),
    /** Until then the key is taken; a request that is under way by then is taken for broken off. */
    expiresAt: time('expires_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.scope, t.key] }), index('request_keys_by_expiry').on(t.expiresAt)],
);
