import { defaultPolicy, modeFor } from '../../../src/domain/policy.ts';
import type { LedgerDatabase } from '../../../src/ledger/database.ts';
import { type CatalogRows, catalogRows, type FindingRow, type IntentRow, judgedRows } from '../ledger-rows.ts';
import type { Simulation } from '../simulation.ts';
import type { Witness } from '../witness.ts';
import { keptEntities } from './expected-hold.ts';
import { limitsLet } from './limits.ts';

export interface IntentQuestion {
  readonly db: LedgerDatabase;
  readonly simulation: Simulation;
  readonly witness: Witness;
  readonly catalog: string;
}

/** At the moment at which a removal is begun: everything that must allow it does. */
export async function whenIntended(question: IntentQuestion, intentId: string): Promise<void> {
  const { db, witness, catalog, simulation } = question;
  const rows = await catalogRows(db, catalog);
  const intent = rows.intents.find(({ id }) => id === intentId);
  const finding = rows.findings.find(({ id }) => id === intent?.finding);
  if (intent === undefined || finding === undefined || rows.catalog === null) {
    witness.broken('a removal begins with an intent about a finding', { intentId });
    return;
  }
  const must = mustOf(witness, { intent, finding });
  const now = simulation.now();
  const { state, pause, stop, published_round: published, hold } = rows.catalog;
  const round = rows.rounds.find(({ id }) => id === intent.round);
  must(
    state === 'ok' && pause === null && stop === null,
    'nothing goes on while the catalog is not well, paused or stopped',
  );
  must(published === intent.round && round?.state === 'published', 'removals go by the published round');
  must(rows.intents.filter((each) => each.state === 'open').length === 1, 'one intent at most is open');
  must(finding.state === 'open' && finding.moved_by === intent.round, 'the finding was moved by the published round');
  must(finding.digest === intent.digest && finding.entity === intent.entity, 'the intent is about this evidence');
  if (intent.action === 'repoint') return isWished(rows, intent, finding, now, must);
  must(finding.carrier === null && finding.blocker === null, 'the outermost goes, and nothing blocks it');
  must(!keptEntities(rows.decisions, now).has(finding.entity), 'what is kept stays');
  must(!isRejected(rows, finding), 'what was rejected stays');
  must(hold.length === 0 || isAdmitted(rows, finding, now), 'a held round lets go only what was admitted');
  const reckoned = witness.round(intent.round).hold;
  must(reckoned.length === 0 || hold.length > 0, 'the guard let the round pass');
  isPermitted(rows, intent, finding, now, must);
  must(limitsLet(rows, finding, now), 'no more go, a round and a day, than the policy lets');
  await isEmptyOfTheLiving(question, rows, finding, must);
}

export type Must = (holds: boolean, rule: string) => void;

export function mustOf(witness: Witness, detail: unknown): Must {
  return (holds, rule) => {
    if (!holds) witness.broken(rule, detail);
  };
}

/** A person approved exactly this, or the policy removes it by itself and said so before. */
function isPermitted(rows: CatalogRows, intent: IntentRow, finding: FindingRow, now: number, must: Must): void {
  const { standing } = finding;
  const policy = rows.policies.at(-1);
  const round = rows.rounds.find(({ id }) => id === intent.round);
  must(standing.ripe, 'only what is ripe goes');
  must(now - finding.registered_at >= (policy?.body ?? defaultPolicy).minimumAgeMs, 'what is young stays');
  if (intent.decision === null) {
    const auto = policy !== undefined && modeFor(policy.body, finding.kind) === 'auto-remove';
    must(
      auto && standing.verdict === 'absent',
      'without a decision only the policy in force removes, and only the absent',
    );
    must(standing.due && (standing.dueAt ?? Infinity) <= now, 'without a decision only what is due goes');
    must(round?.policy_version === policy?.version, 'without a decision the round judged under this very policy');
    must(intent.actor.name === 'reconciler', 'unattended work has its own name');
    return;
  }
  const decision = rows.decisions.find(({ id }) => id === intent.decision);
  must(
    decision?.action === 'approve' && decision.state === 'active' && (decision.expires_at ?? 0) > now,
    'the approval is valid',
  );
  must(
    decision?.finding === finding.id && decision.digest === intent.digest,
    'the approval is of exactly this evidence',
  );
  must(decision?.actor.name === intent.actor.name, 'the removal is in the name of who approved it');
  must(
    standing.verdict === 'absent' || (standing.verdict === 'renamed' && finding.taken),
    'a person may remove the absent, and what was renamed onto another registration',
  );
}

/** Only a person re-points, and only what lives under one other name that nothing is registered under. */
function isWished(rows: CatalogRows, intent: IntentRow, finding: FindingRow, now: number, must: Must): void {
  const decision = rows.decisions.find(({ id }) => id === intent.decision);
  must(
    decision?.action === 'repoint' && decision.state === 'active' && (decision.expires_at ?? 0) > now,
    'the wish to re-point is valid',
  );
  must(decision?.finding === finding.id && decision.digest === intent.digest, 'the wish is of exactly this evidence');
  must(finding.standing.verdict === 'renamed' && !finding.taken, 'only what was renamed to a free name is re-pointed');
  must(intent.moved_to !== null && intent.moved_to === finding.moved_to, 'it is re-pointed to where it was seen');
}

/** Everything inside a container has its own absence in the same round, and nobody keeps it. */
async function isEmptyOfTheLiving(
  { db, simulation }: IntentQuestion,
  rows: CatalogRows,
  finding: FindingRow,
  must: Must,
): Promise<void> {
  if (finding.kind !== 'schema') return;
  const kept = keptEntities(rows.decisions, simulation.now());
  const inside = (await judgedRows(db, finding.moved_by)).filter(({ path }) => path.startsWith(`${finding.path}/`));
  must(
    inside.every(({ verdict, entity }) => verdict === 'absent' && !kept.has(entity)),
    'a container goes only with contents that are absent themselves',
  );
}

function isRejected({ decisions }: CatalogRows, finding: FindingRow): boolean {
  return decisions.some(
    (row) =>
      row.state === 'active' && row.action === 'reject' && row.finding === finding.id && row.digest === finding.digest,
  );
}

/** An override in force admits exactly this; under four eyes only one that two people gave. */
export function isAdmitted({ overrides, policies }: CatalogRows, finding: FindingRow, now: number): boolean {
  const fourEyes = policies.at(-1)?.body.fourEyes === true;
  return overrides.some(
    ({ admits, expires_at: until, used, max_count: max, state, actor, approved_by: other }) =>
      state === 'active' &&
      (!fourEyes || (other !== null && other.name !== actor.name)) &&
      until > now &&
      used <= max &&
      admits.some((one) => one.finding === finding.id && one.digest === finding.digest),
  );
}
