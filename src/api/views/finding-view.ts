import { type DecisionAction, decisionRefusal } from '../../domain/decision.ts';
import { pathText } from '../../domain/path.ts';
import type { Policy } from '../../domain/policy.ts';
import type { Removed } from '../../domain/removal-limits.ts';
import type { Attachments } from '../../domain/registration.ts';
import type { FindingRecord } from '../../ledger/ledger.ts';
import type { FindingView } from '../schemas/finding.ts';
import { limitInWords } from '../words/limits.ts';
import { blockText, waitsInWords } from '../words/waits.ts';
import { decisionView } from './decision-view.ts';

/** What a finding is seen against. */
export interface Backdrop {
  readonly policy: Policy;
  /** Whether the catalog's registry can give a registration another name. */
  readonly canRepoint: boolean;
  readonly removed: Removed;
  readonly now: number;
}

/** A finding as the API shows it. */
export function findingView(finding: FindingRecord, backdrop: Backdrop): FindingView {
  const { standing, path, blocker, movedTo, carrier, decision } = finding;
  return {
    id: finding.id,
    kind: finding.kind,
    path: pathText(path),
    segments: [...path],
    registration: finding.entity,
    version: finding.version,
    registeredAt: finding.registeredAt,
    state: finding.state,
    ...(finding.closedWhy === undefined ? {} : { closedWhy: finding.closedWhy }),
    verdict: standing.verdict,
    code: standing.code,
    evidence: finding.evidence,
    digest: finding.digest,
    misses: standing.misses,
    watchedMs: standing.graceMs,
    firstMissedAt: standing.firstMissedAt,
    ...(standing.absentAt === 0 ? {} : { lastMissedAt: standing.absentAt }),
    ...(standing.dueAt === undefined ? {} : { dueAt: standing.dueAt }),
    due: standing.due,
    ripe: standing.ripe,
    waits: finding.state === 'closed' ? [] : waitsOf(finding, backdrop),
    approval: answerTo('approve', finding, backdrop),
    ...(standing.verdict === 'renamed' ? { repoint: answerTo('repoint', finding, backdrop) } : {}),
    ...(movedTo === undefined ? {} : { movedTo: pathText(movedTo) }),
    taken: finding.taken,
    ...(carrier === undefined ? {} : { carrier: pathText(carrier) }),
    inside: finding.inside,
    ...(blocker === undefined
      ? {}
      : { blocker: { path: pathText(blocker.path), code: blocker.why, text: blockText(blocker.why) } }),
    impact: { registrations: 1 + finding.inside, attachments: counted(finding.attachments) },
    ...(decision === undefined ? {} : { decision: decisionView(decision) }),
    openedAt: finding.openedAt,
    updatedAt: finding.updatedAt,
  };
}

function waitsOf(finding: FindingRecord, { policy, removed, now }: Backdrop): FindingView['waits'] {
  const limit = limitInWords(finding, policy, removed);
  return [...waitsInWords(finding, policy, now), ...(limit === undefined ? [] : [{ ...limit, waived: false }])];
}

/** What the rules would answer to a decision on exactly this evidence. */
function answerTo(
  action: DecisionAction,
  finding: FindingRecord,
  { canRepoint, now }: Backdrop,
): FindingView['approval'] {
  const { id, digest, state, standing, taken, movedTo, carrier, decision } = finding;
  const refusal = decisionRefusal(
    { findingId: id, digest, action },
    {
      finding: {
        state,
        digest,
        standing,
        renamedTaken: taken,
        ...(movedTo === undefined ? {} : { movedTo }),
        ...(carrier === undefined ? {} : { carrier: pathText(carrier) }),
      },
      ...(decision?.standingKeep === undefined ? {} : { keptBy: decision.standingKeep }),
      intentOpen: false, // only the ledger knows; it refuses in time
      canRepoint,
      now,
      notAfter: now,
    },
  );
  return refusal === undefined ? { possible: true } : { possible: false, ...refusal };
}

function counted(attachments: Attachments | 'unseen'): FindingView['impact']['attachments'] {
  if (attachments === 'unseen') return 'unseen';
  return {
    ...(attachments.owner === undefined ? {} : { owner: attachments.owner }),
    comment: attachments.comment !== undefined,
    tags: attachments.tags.length,
    policies: attachments.policies.length,
    grants: attachments.grants.length,
    properties: Object.keys(attachments.properties).length,
    ...(attachments.secrets === undefined ? {} : { secrets: [...attachments.secrets] }),
  };
}
