import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { decisionRefusal, type DecisionContext, type DecisionRequest } from '../domain/decision.ts';
import { parsePathText } from '../domain/path.ts';
import { writeAudit } from './audit.ts';
import { holdOffIntents } from './catalog-row.ts';
import type { LedgerDatabase } from './database.ts';
import { acceptReplacement } from './decisions-accept.ts';
import { endDecisions } from './decisions-end.ts';
import { keepsInForce } from './keeps-in-force.ts';
import type { DecideInput, DecisionAnswer, ReadPattern } from './ledger.ts';
import { effectivePolicy } from './policies.ts';
import { decisions, findings, intents, transitions } from './schema.ts';

type FindingRow = typeof findings.$inferSelect;

/** Each item by itself, so that one refusal or one broken connection takes nothing back of what was answered before. */
export async function decide(
  db: LedgerDatabase,
  input: DecideInput,
  readPattern: ReadPattern,
): Promise<readonly DecisionAnswer[]> {
  const answers: DecisionAnswer[] = [];
  for (const request of input.items) {
    answers.push(await db.transaction((tx) => decideOne(tx, request, input, readPattern)));
  }
  return answers;
}

async function decideOne(
  tx: LedgerDatabase,
  request: DecisionRequest,
  input: DecideInput,
  readPattern: ReadPattern,
): Promise<DecisionAnswer> {
  const { catalog, canRepoint, now, notAfter } = input;
  const { findingId } = request;
  // An intent on a container carries this finding along without ever locking its row.
  await holdOffIntents(tx, catalog);
  const [finding] = await tx
    .select()
    .from(findings)
    .where(and(eq(findings.id, findingId), eq(findings.catalog, catalog)))
    .for('update');
  const earlier = await decidedBefore(tx, request, input);
  if (earlier?.answer === 'accepted') return earlier;
  const keeps = request.action === 'approve' ? await keepsInForce(tx, catalog, now, readPattern) : [];
  const keptBy = finding === undefined ? undefined : keeps.find(({ covers }) => covers(finding.path))?.id;
  const refusal =
    earlier ??
    input.refusal ??
    decisionRefusal(request, {
      finding: finding === undefined ? undefined : judgedBy(finding),
      ...(keptBy === undefined ? {} : { keptBy }),
      intentOpen: finding !== undefined && (await removalRuns(tx, finding)),
      canRepoint,
      now,
      notAfter,
    });
  if (finding === undefined || refusal !== undefined) {
    const { reason, hint } = refusal ?? { reason: 'no-such-finding', hint: '' };
    await writeAudit(tx, auditEntry(input, request, 'decision-refused', { refusal: reason }));
    return { findingId, answer: 'refused', reason, hint };
  }
  return { findingId, answer: 'accepted', decisionId: await accept(tx, finding, request, input), repeated: false };
}

/** What the same key decided for this finding; a key that now asks for something else is a mistake, not a repeat. */
async function decidedBefore(
  tx: LedgerDatabase,
  { findingId, action, digest }: DecisionRequest,
  { catalog, requestKey }: DecideInput,
): Promise<DecisionAnswer | undefined> {
  const [row] = await tx
    .select({ id: decisions.id, action: decisions.action, digest: decisions.digest })
    .from(decisions)
    .where(and(eq(decisions.catalog, catalog), eq(decisions.requestKey, requestKey), eq(decisions.finding, findingId)));
  if (row === undefined) return undefined;
  if (row.action === action && row.digest === digest) {
    return { findingId, answer: 'accepted', decisionId: row.id, repeated: true };
  }
  const hint = 'This key has decided something else for this finding before. Send the decision with a new key.';
  return { findingId, answer: 'refused', reason: 'changed', hint };
}

function judgedBy(finding: FindingRow): NonNullable<DecisionContext['finding']> {
  const movedTo = finding.movedTo === null ? undefined : parsePathText(finding.movedTo);
  return {
    state: finding.state,
    digest: finding.digest,
    standing: finding.standing,
    renamedTaken: finding.taken,
    ...(movedTo === undefined ? {} : { movedTo }),
    ...(finding.carrier === null ? {} : { carrier: finding.carrier }),
  };
}

/** Whether an intent is open on the finding itself or on a container that takes it along. */
async function removalRuns(tx: LedgerDatabase, { catalog, id, path }: FindingRow): Promise<boolean> {
  const [intent] = await tx
    .select({ finding: intents.finding, path: intents.path })
    .from(intents)
    .where(and(eq(intents.catalog, catalog), eq(intents.state, 'open')));
  return intent !== undefined && (intent.finding === id || path.startsWith(`${intent.path}/`));
}

async function accept(
  tx: LedgerDatabase,
  finding: FindingRow,
  request: DecisionRequest,
  input: DecideInput,
): Promise<string> {
  const { catalog, entity } = finding;
  const { actor, reason, requestKey, now } = input;
  const { action, digest, keepUntil } = request;
  const id = randomUUID();
  // By entity: a keep outlives the finding on which it was given, and this is how a person takes it back.
  await endDecisions(tx, and(eq(decisions.catalog, catalog), eq(decisions.entity, entity)), {
    state: 'void',
    why: 'superseded',
    now,
  });
  await tx.insert(decisions).values({
    id,
    catalog,
    finding: finding.id,
    entity,
    digest,
    action,
    actor,
    reason,
    requestKey,
    at: now,
    ...(action === 'approve' || action === 'repoint'
      ? { expiresAt: now + (await effectivePolicy(tx, catalog)).policy.approvalTtlMs }
      : {}),
    ...(action === 'keep' ? { keepUntil } : {}),
    ...(action === 'accept' ? { state: 'consumed', stateWhy: 'accepted' } : { state: 'active' }),
  });
  await tx.insert(transitions).values({
    finding: finding.id,
    at: now,
    what: 'decided',
    detail: { decision: id, action, actor: actor.name, ...(keepUntil === undefined ? {} : { keepUntil }) },
  });
  if (action === 'accept') await acceptReplacement(tx, finding, now);
  await writeAudit(tx, auditEntry(input, request, 'decision-accepted', { decision: id, path: finding.path }));
  return id;
}

function auditEntry(
  { catalog, actor, reason, requestKey, now }: DecideInput,
  { findingId, action, digest, keepUntil }: DecisionRequest,
  what: 'decision-accepted' | 'decision-refused',
  detail: Record<string, unknown>,
): Parameters<typeof writeAudit>[1] {
  return {
    at: now,
    catalog,
    actor,
    action: what,
    subject: findingId,
    detail: {
      ...detail,
      action,
      digest,
      requestKey,
      ...(reason === undefined ? {} : { reason }),
      ...(keepUntil === undefined ? {} : { keepUntil }),
    },
  };
}
