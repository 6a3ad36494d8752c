import { parentPath, parsePathText, pathText } from '../../../src/domain/path.ts';
import { defaultPolicy, modeFor, type Policy } from '../../../src/domain/policy.ts';
import { kindFits } from '../../../src/domain/registration.ts';
import type { LedgerDatabase } from '../../../src/ledger/database.ts';
import type { Coverage } from '../coverage.ts';
import { type CatalogRows, catalogRows, type FindingRow, type JudgedRow, judgedRows } from '../ledger-rows.ts';
import { intervalMs, type Simulation } from '../simulation.ts';
import type { Witness } from '../witness.ts';
import { expectedHold, keptEntities } from './expected-hold.ts';

/** What all questions about one round share. */
export interface RoundQuestion {
  readonly db: LedgerDatabase;
  readonly simulation: Simulation;
  readonly witness: Witness;
  readonly coverage: Coverage;
  /** `metalake/catalog`. */
  readonly catalog: string;
  readonly round: string;
}

function policyOf(rows: CatalogRows, round: string): Policy {
  const version = rows.rounds.find(({ id }) => id === round)?.policy_version;
  return rows.policies.find((policy) => policy.version === version)?.body ?? defaultPolicy;
}

/** At the moment at which the guard counts: what it must find, reckoned again from the same rows. */
export async function whenTallied(question: RoundQuestion, judgedAt: number): Promise<void> {
  const { db, simulation, witness, catalog, round } = question;
  const [rows, judged] = [await catalogRows(db, catalog), await judgedRows(db, round)];
  const before = witness.published.get(catalog);
  const world = simulation.worlds.find((each) => catalog.endsWith(`/${each.catalog}`));
  const log = witness.round(round);
  log.judgedAt = judgedAt;
  log.hold = expectedHold({
    rows: judged,
    kept: keptEntities(rows.decisions, judgedAt),
    overridden: rows.overrides.some(({ expires_at: until, used, max_count: max }) => until > judgedAt && used < max),
    controlsAbsent: log.controlsAbsent,
    newEpoch: false, // known only once it is published
    previous:
      before === undefined
        ? undefined
        : { registrations: before.registrations, drops: world?.drops.filter((at) => at >= before.at).length ?? 0 },
    policy: policyOf(rows, round).guard,
  });
}

/** At the moment of publication: the round was whole, its verdicts are what the source said, its counters follow. */
export async function whenPublished(question: RoundQuestion): Promise<void> {
  const { db, simulation, witness, catalog, round } = question;
  const [rows, judged] = [await catalogRows(db, catalog), await judgedRows(db, round)];
  const before = witness.published.get(catalog);
  const { epoch = null, fingerprint = null, hold = [] } = rows.catalog ?? {};
  const log = witness.round(round);

  const eyes = new Set(log.asked.map(({ by }) => by));
  if (log.asked[0]?.what !== 'check' || log.asked.at(-1)?.what !== 'check' || log.asked.length < 2 || eyes.size !== 1)
    witness.broken('a published round was checked before and after its questions, with the same eyes', log.asked);
  const counts = log.counted.slice(-2);
  if (judged.length < Math.min(...counts) || judged.length > Math.max(...counts))
    witness.broken('a published round listed as many as were counted', { listed: judged.length, counts });
  const expected = [...log.hold, ...(before?.epoch === epoch ? [] : ['new-epoch' as const])];
  const lacking = expected.filter((reason) => !hold.includes(reason));
  if (lacking.length > 0) witness.broken('a round that the guard must hold is held', { round, lacking, hold });

  if (before !== undefined && before.fingerprint !== fingerprint) witness.forgetIdentities(catalog);
  const byPath = new Map(judged.map((row) => [row.path, row]));
  for (const row of judged) isWhatTheSourceSaid(question, row, byPath);
  for (const finding of rows.findings) {
    if (finding.moved_by === round && finding.state === 'open') {
      countersFollow(
        question,
        finding,
        judged.find(({ entity }) => entity === finding.entity),
        policyOf(rows, round),
      );
      for (const wait of finding.standing.waits) question.coverage.saw('finding waits', wait);
    }
    witness.findings.set(finding.id, finding);
  }
  for (const { verdict } of judged) question.coverage.saw('verdict', verdict ?? 'not probed');
  for (const reason of hold) question.coverage.saw('hold', reason);
  witness.published.set(catalog, { registrations: judged.length, at: simulation.now(), epoch, fingerprint });
}

function isWhatTheSourceSaid(question: RoundQuestion, row: JudgedRow, byPath: ReadonlyMap<string, JudgedRow>): void {
  const { simulation, witness, catalog, round } = question;
  const said = witness.round(round).answers.get(row.path);
  const memory = witness.memory(catalog, row.entity);
  const broken = (rule: string): void => witness.broken(rule, { round, row, said, remembered: memory.uid });
  if ((row.mark === 'probe') !== (row.verdict !== null)) broken('exactly what is to be probed has a verdict');
  if (row.verdict === null) return;
  const parent = parentPath(parsePathText(row.path) ?? ['?']);
  const withParent =
    said?.answer === 'parent-absent' &&
    simulation.beginning.parentImpliesChild &&
    parent !== undefined &&
    byPath.get(pathText(parent))?.verdict === 'absent';
  const saidAbsent = said !== undefined && said.conclusive && (said.answer === 'absent' || withParent);
  switch (row.verdict) {
    case 'absent':
      if (!saidAbsent) broken('absent is only what the source conclusively said is absent');
      if (memory.uid !== undefined && witness.round(round).located.has(memory.uid))
        broken('absent is only what lives nowhere else');
      break;
    case 'present':
      if (said?.answer !== 'present' || !kindFits(row.kind, said.found))
        broken('present is what the source said is there');
      if (said?.answer === 'present' && said.uid !== undefined && (memory.uid ?? said.uid) !== said.uid)
        broken('another object under the name is not present');
      break;
    case 'replaced':
      if (said?.answer !== 'present') broken('replaced is what the source said is there');
      break;
    case 'renamed':
    case 'copied':
    case 'unknown':
  }
  remember(question, row, saidAbsent && row.verdict === 'absent', said?.answer === 'present');
}

function remember(
  { witness, catalog, round }: RoundQuestion,
  row: JudgedRow,
  saidAbsent: boolean,
  saidPresent: boolean,
): void {
  const memory = witness.memory(catalog, row.entity);
  if (row.verdict === 'present' && row.uid !== null) memory.uid = row.uid;
  if (saidPresent) Object.assign(memory, { absences: 0, watchedMs: 0 });
  if (!saidAbsent) return;
  const { judgedAt } = witness.round(round);
  if (memory.absences > 0) memory.watchedMs += Math.max(0, Math.min(judgedAt - memory.lastAbsentAt, 2 * intervalMs));
  memory.absences += 1;
  memory.lastAbsentAt = judgedAt;
}

function countersFollow(
  { witness, catalog, round }: RoundQuestion,
  finding: FindingRow,
  row: JudgedRow | undefined,
  policy: Policy,
): void {
  const { standing, registered_at: registeredAt } = finding;
  const before = witness.findings.get(finding.id)?.standing;
  const memory = witness.memory(catalog, finding.entity);
  const { judgedAt } = witness.round(round);
  const must = (holds: boolean, rule: string): void => {
    if (!holds) witness.broken(rule, { round, finding, before, verdict: row?.verdict ?? null, memory: { ...memory } });
  };
  const verdict = row?.verdict ?? null;
  must(standing.misses <= (before?.misses ?? 0) + 1, 'misses grow by one a round at most');
  must(standing.misses <= memory.absences, 'misses are rounds that heard an absence');
  must(standing.graceMs <= memory.watchedMs, 'grace is time that was watched');
  must(before?.dueAt === undefined || (standing.dueAt ?? 0) >= before.dueAt, 'an announced time never moves earlier');
  if (verdict === null || verdict === 'unknown')
    must(
      standing.misses === (before?.misses ?? 0) && !standing.ripe && !standing.due,
      'without an answer nothing moves',
    );
  if (verdict === 'renamed' || verdict === 'replaced' || verdict === 'copied')
    must(standing.misses === 0 && !standing.due, 'what is elsewhere or another counts no misses');
  if (before !== undefined && before.epoch !== standing.epoch) must(standing.misses <= 1, 'a new epoch counts anew');
  if (standing.ripe) {
    const gone = verdict === 'absent' && standing.misses >= policy.misses;
    must(gone || (verdict === 'renamed' && finding.taken), 'ripe is what was missed often enough');
    must(judgedAt - registeredAt >= policy.minimumAgeMs, 'ripe is what is old enough');
  }
  if (standing.due) {
    must(standing.ripe && verdict === 'absent', 'due is what is absent and ripe');
    must(
      standing.graceMs >= policy.graceMs && (standing.dueAt ?? Infinity) <= judgedAt,
      'due is what was announced and waited',
    );
    must(before?.dueAt !== undefined, 'nothing is due in the round that announces it');
    must(modeFor(policy, finding.kind) === 'auto-remove', 'due is what the policy removes');
  }
}
