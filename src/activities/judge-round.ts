import { carrierOf } from '../domain/containers.ts';
import { type Hash, findingDigest } from '../domain/digest.ts';
import { type JudgingRound, type Judged, moveFinding, type Standing, withContents } from '../domain/finding.ts';
import { guardReasons, type HoldReason, type RoundTally } from '../domain/guard.ts';
import { parsePathText, type Path } from '../domain/path.ts';
import { isLaxer, type Policy } from '../domain/policy.ts';
import { isAttended } from '../domain/registration.ts';
import type { Judgement, JudgeRow, OpenedRound } from '../ledger/ledger.ts';
import type { Registry } from '../registries/registry.ts';
import { type Attached, type InsidePages, insideDigest, readAttachments } from './attachments-digest.ts';
import type { CheckAnswer } from './check-catalog.ts';
import { closeUnregistered } from './close-unregistered.ts';
import { cancellation, stopIfCancelled } from './context.ts';
import type { ActivityDeps } from './deps.ts';
import { openInput, type OpenRoundInput } from './open-round.ts';

export interface JudgeInput extends OpenRoundInput {
  readonly before: CheckAnswer;
  readonly after: CheckAnswer;
  readonly judgedAt: number;
}

export interface JudgeAnswer {
  readonly hold: readonly HoldReason[];
  readonly guard: RoundTally;
}

/** Rows that are judged and written together. */
const pageRows = 500;

/** Everything that judging one row takes. */
interface Bench {
  readonly deps: ActivityDeps;
  readonly registry: Registry;
  readonly catalog: string;
  readonly roundId: string;
  readonly round: JudgingRound;
  readonly policy: Policy;
  readonly absentContainers: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

/**
 * The guard first, from the verdict rows; then every finding. Nothing moves yet: judgements wait for the round to be
 * published, so that repeating this changes nothing twice.
 */
export async function judgeRound(deps: ActivityDeps, input: JudgeInput): Promise<JudgeAnswer> {
  const signal = cancellation();
  const { rounds } = deps.ledger;
  const opened = await rounds.open(openInput(input));
  const tally = await rounds.tally(input.roundId, input.judgedAt);
  const hold = await guard(deps, input, opened, tally, signal);
  const bench: Bench = {
    deps,
    registry: deps.registryOf(input.metalake),
    catalog: input.catalog,
    roundId: input.roundId,
    round: {
      seq: opened.seq,
      now: input.judgedAt,
      epoch: input.after.epoch,
      intervalMs: opened.intervalMs,
      afterComplete: opened.afterComplete,
      knownControls: input.before.reading !== 'no-known' && input.after.reading !== 'no-known',
      policy: opened.policy,
    },
    policy: opened.policy,
    absentContainers: await rounds.absentContainers(input.roundId),
    signal,
  };
  for (let after: Path | undefined; ; ) {
    const rows = await rounds.toJudge(input.roundId, { limit: pageRows, ...(after === undefined ? {} : { after }) });
    const last = rows.at(-1);
    if (last === undefined) break;
    await rounds.recordJudgements(input.roundId, await judgePage(bench, rows));
    after = last.path;
    stopIfCancelled();
  }
  await closeUnregistered(rounds, input.roundId);
  return { hold, guard: tally };
}

async function guard(
  deps: ActivityDeps,
  input: JudgeInput,
  opened: OpenedRound,
  tally: RoundTally,
  signal: AbortSignal,
): Promise<readonly HoldReason[]> {
  const { published } = opened;
  const drops =
    published === undefined ? 0 : await deps.registryOf(input.metalake).dropsSince(input.catalog, published.at, signal);
  return guardReasons({
    tally,
    previous: published === undefined ? undefined : { registrations: published.registrations, drops },
    newEpoch: opened.epoch !== input.after.epoch,
    laxerPolicy: published !== undefined && isLaxer(published.policy, opened.policy),
    controlsAbsent: input.before.reading === 'controls-absent' || input.after.reading === 'controls-absent',
    policy: opened.policy.guard,
  });
}

async function judgePage(bench: Bench, rows: readonly JudgeRow[]): Promise<readonly Judgement[]> {
  // A removal under way owns its finding until its outcome is known.
  const free = rows.filter(({ before }) => before?.intentOpen !== true);
  const attached = await readAttachments(
    bench.deps,
    bench.registry,
    bench.catalog,
    free.map(({ entity }) => entity),
    bench.signal,
  );
  const judgements: Judgement[] = [];
  for (const row of free) {
    const judgement = await judgeRow(bench, row, attached.get(row.entity) ?? { body: 'unseen', digest: 'unseen' });
    if (judgement !== undefined) judgements.push(judgement);
  }
  return judgements;
}

async function judgeRow(bench: Bench, row: JudgeRow, attached: Attached): Promise<Judgement | undefined> {
  const { verdict } = row;
  const judged: Judged = {
    kind: row.kind,
    // A row that should have been asked about and was not is unknown: doubt never counts as anything else.
    verdict: row.mark !== 'probe' ? { kind: 'not-judged' } : (verdict ?? { kind: 'unknown', code: 'not-asked' }),
    createdAt: row.createdAt,
    attended: attached.body === 'unseen' || isAttended(attached.body),
    returned: row.returned,
  };
  const move = moveFinding(row.before?.standing, judged, bench.round);
  if (move.move === 'none') return undefined;
  const standing = move.move === 'close' ? row.before?.standing : move.standing;
  if (standing === undefined) return undefined;
  const removable = verdict?.kind === 'absent' || (verdict?.kind === 'renamed' && verdict.taken);
  const container = move.move === 'open' && removable ? await standingInTree(bench, row) : plain;
  const whole =
    container.contents === undefined ? standing : withContents(standing, row.kind, container.contents, bench.policy);
  const placed: Standing = { ...whole, ...withheld(whole, container) };
  const moved = movedOf(row, placed);
  return {
    entity: row.entity,
    kind: row.kind,
    path: row.path,
    version: row.version,
    registeredAt: row.createdAt,
    move: move.move === 'close' ? move : { move: 'open', standing: placed },
    standing: placed,
    digest: digestOf(row, { standing: placed, movedTo: moved?.movedTo }, attached.digest, container, bench.deps.hash),
    // A verdict that says nothing about absence leaves the finding on the evidence it stands on.
    evidence: (standing.waits[0] === 'unknown-now' ? row.before?.evidence : row.evidence) ?? row.before?.evidence ?? '',
    attachments: attached.body,
    ...(moved?.movedTo === undefined ? {} : { movedTo: moved.movedTo }),
    taken: moved?.taken === true,
    ...(verdict !== undefined && 'uid' in verdict && verdict.uid !== undefined ? { uid: verdict.uid } : {}),
    ...(container.carrier === undefined ? {} : { carrier: container.carrier }),
    inside: container.inside,
    ...(container.blocker === undefined ? {} : { blocker: container.blocker }),
  };
}

/** Where a renamed object lives. A round that learned nothing leaves that as it was, and with it the digest. */
function movedOf(
  { verdict, before }: JudgeRow,
  standing: Standing,
): { readonly movedTo?: Path; readonly taken: boolean } | undefined {
  if (verdict?.kind === 'renamed') return verdict;
  return standing.verdict === 'renamed' ? before : undefined;
}

interface InTree extends Pick<Judgement, 'carrier' | 'blocker' | 'inside'> {
  readonly digest?: string;
  readonly contents?: Pick<Judged, 'attended' | 'returned'>;
}

const plain: InTree = { inside: 0 };

/** What containers mean for an absent registration: whether one carries it, and for a container what is inside. */
async function standingInTree(bench: Bench, row: JudgeRow): Promise<InTree> {
  const carrierText = carrierOf(row.path, (text) => bench.absentContainers.has(text));
  const carrier = carrierText === undefined ? undefined : parsePathText(carrierText);
  if (carrier !== undefined) return { inside: 0, carrier };
  if (row.kind !== 'schema') return plain;
  const { rounds } = bench.deps.ledger;
  const blocker = await rounds.firstBlocker(bench.roundId, row.path, {
    now: bench.round.now,
    minimumAgeMs: bench.policy.minimumAgeMs,
  });
  const seen = { returned: false };
  const { digest, inside, attended } = await insideDigest(
    bench.deps,
    bench.registry,
    bench.catalog,
    insideOf(bench, row.path, seen),
    bench.signal,
  );
  return {
    inside,
    ...(inside === 0 ? {} : { digest, contents: { attended, returned: seen.returned } }),
    ...(blocker === undefined ? {} : { blocker }),
  };
}

async function* insideOf(bench: Bench, container: Path, seen: { returned: boolean }): InsidePages {
  for (let after: Path | undefined; ; ) {
    const page = await bench.deps.ledger.rounds.inside(bench.roundId, container, {
      limit: pageRows,
      ...(after === undefined ? {} : { after }),
    });
    const last = page.at(-1);
    if (last === undefined) return;
    seen.returned ||= page.some(({ returned }) => returned);
    yield page;
    after = last.path;
    stopIfCancelled();
  }
}

/** What is carried waits for its container, and a blocked container for what blocks it. */
function withheld(standing: Standing, { carrier, blocker }: InTree): Partial<Standing> {
  if (carrier !== undefined) return { due: false, ripe: false, waits: ['container', ...standing.waits] };
  if (blocker !== undefined) return { due: false, ripe: false, waits: ['blocked-inside', ...standing.waits] };
  return {};
}

function digestOf(
  row: JudgeRow,
  { standing, movedTo }: { readonly standing: Standing; readonly movedTo: Path | undefined },
  attachments: string,
  tree: InTree,
  hash: Hash,
): string {
  return findingDigest(
    {
      entityId: row.entity,
      version: row.version,
      path: row.path,
      kind: row.kind,
      epoch: standing.epoch,
      verdict: standing.verdict,
      code: standing.code,
      attachments,
      ...(movedTo === undefined ? {} : { movedTo }),
      ...(tree.digest === undefined ? {} : { inside: tree.digest }),
    },
    hash,
  );
}
