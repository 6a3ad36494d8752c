import type { CatalogName } from '../contract/names.ts';
import { knownControls } from '../domain/controls.ts';
import { findingDigest } from '../domain/digest.ts';
import { settleMoved, verdictOf } from '../domain/identity.ts';
import { pathText, type Path } from '../domain/path.ts';
import type { EntityKind, Registration } from '../domain/registration.ts';
import type { ProbeAnswer } from '../domain/verdict.ts';
import type { FindingRecord, Intent } from '../ledger/ledger.ts';
import { insideDigest, readAttachments } from './attachments-digest.ts';
import { goOn, type LastLook, stop } from './carry-out-intent.ts';
import type { ActivityDeps } from './deps.ts';
import { probeBatch } from './probe-batch.ts';

/** Something registered inside what is to go, as it was judged. */
export interface Inside {
  readonly id: string;
  readonly version: string;
  readonly kind: EntityKind;
  readonly path: Path;
}

/**
 * Right before a removal: reads the registration and everything inside it again, then asks the source about each of
 * them once more. Throws where either cannot be asked; nothing was sent by then.
 */
export async function lookAgain(
  deps: ActivityDeps,
  name: CatalogName,
  intent: Intent,
  finding: FindingRecord,
  signal: AbortSignal,
): Promise<LastLook<readonly Inside[]>> {
  const registry = deps.registryOf(name.metalake);
  const itself = await asJudged(deps, name, intent, signal);
  if (itself.answer === 'stop') return itself;
  const inside = await deps.ledger.removals.judgedInside(intent.catalog, intent.path);
  const now = await registry.inside(name.catalog, intent.path, signal);
  const judged = new Map(inside.map(({ id, version }) => [id, version]));
  const fresh = now.find(({ id, version }) => judged.get(id) !== version);
  if (fresh !== undefined) return stop('changed', `${pathText(fresh.path)} inside it is new or changed`);
  if (now.length !== inside.length) return stop('changed', 'something inside it is no longer registered');
  return (
    (await otherEvidence(deps, name, intent, finding, inside, signal)) ??
    (await askAgain(deps, name, intent, finding, [itself.seen, ...now], signal)) ??
    goOn(inside)
  );
}

/** The registration as it is now; ends the look where it is not the one that was judged. */
export async function asJudged(
  deps: ActivityDeps,
  name: CatalogName,
  intent: Intent,
  signal: AbortSignal,
): Promise<LastLook<Registration>> {
  const registration = await deps.registryOf(name.metalake).registration(name.catalog, intent.entity, signal);
  if (registration === undefined) return stop('already-gone', 'no longer registered');
  if (registration.version !== intent.version || pathText(registration.path) !== pathText(intent.path)) {
    return stop('changed', 'the registration changed since it was judged');
  }
  return goOn(registration);
}

/** Ends the look where what is attached to it, and to what is inside it, is not what a person saw. */
export async function otherEvidence(
  deps: ActivityDeps,
  name: CatalogName,
  intent: Intent,
  finding: FindingRecord,
  inside: readonly Inside[],
  signal: AbortSignal,
): Promise<LastLook<never> | undefined> {
  const same = (await digestNow(deps, name, finding, inside, signal)) === intent.digest;
  return same ? undefined : stop('changed', 'what is attached to it changed since it was judged');
}

async function digestNow(
  deps: ActivityDeps,
  name: CatalogName,
  finding: FindingRecord,
  inside: readonly Inside[],
  signal: AbortSignal,
): Promise<string> {
  const registry = deps.registryOf(name.metalake);
  const attached = await readAttachments(deps, registry, name.catalog, [finding.entity], signal);
  const pages = [inside.map(({ id, version, path }) => ({ entity: id, version, path }))];
  const tree = await insideDigest(
    deps,
    registry,
    name.catalog,
    (async function* () {
      yield* pages;
    })(),
    signal,
  );
  return findingDigest(
    {
      entityId: finding.entity,
      version: finding.version,
      path: finding.path,
      kind: finding.kind,
      epoch: finding.standing.epoch,
      verdict: finding.standing.verdict,
      code: finding.standing.code,
      attachments: attached.get(finding.entity)?.digest ?? 'unseen',
      ...(finding.movedTo === undefined ? {} : { movedTo: finding.movedTo }),
      ...(tree.inside === 0 ? {} : { inside: tree.digest }),
    },
    deps.hash,
  );
}

/** The first thing that speaks against the removal; `undefined` where source and controls agree that all is gone. */
async function askAgain(
  deps: ActivityDeps,
  name: CatalogName,
  intent: Intent,
  finding: FindingRecord,
  all: readonly Registration[],
  signal: AbortSignal,
): Promise<LastLook<never> | undefined> {
  const { source } = await deps.sourceOf(name, signal);
  const known = await deps.ledger.rounds.knownObjects(intent.catalog, knownControls);
  const { fingerprint, principal } = finding.evidence;
  for (let from = 0; from < all.length; from += source.traits.batchSize) {
    const targets = all.slice(from, from + source.traits.batchSize);
    const answers = await probeBatch(source, { name, targets, known, fingerprint, principal }, signal);
    const remembered = await deps.ledger.removals.identitiesOf(
      intent.catalog,
      targets.map(({ id }) => id),
    );
    const uids = targets.flatMap(({ id }) => remembered.get(id)?.uid ?? []);
    const located = source.traits.stableIdentity && uids.length > 0 ? await source.identify(uids, signal) : [];
    for (const [index, target] of targets.entries()) {
      const answer = answers[index]?.answer ?? { answer: 'unknown', code: 'no-answer' };
      const mayFollowParent = target.id !== intent.entity && source.traits.parentImpliesChild;
      const settled: ProbeAnswer =
        answer.answer === 'parent-absent' && mayFollowParent ? { answer: 'absent', code: answer.code } : answer;
      const identity = remembered.get(target.id);
      const verdict = verdictOf(target.kind, settled, identity);
      const where = pathText(target.path);
      if (verdict.kind === 'present') return stop('present', `${where} exists at the source`);
      if (verdict.kind === 'replaced') return stop('replaced', `another object is named ${where} now`);
      if (verdict.kind !== 'absent')
        return stop('source-unreachable', `the source could not tell about ${where} (${verdict.code})`);
      const moved = settleMoved(target, verdict, located, () => false);
      if (moved.kind === 'absent') continue;
      if (moved.kind === 'unknown') return stop('source-unreachable', `the source contradicts itself about ${where}`);
      // A person may remove what was renamed onto a name that is registered already: that place, and no other, is known.
      const there =
        target.id === intent.entity &&
        finding.taken &&
        finding.movedTo !== undefined &&
        moved.kind === 'renamed' &&
        pathText(moved.movedTo) === pathText(finding.movedTo);
      if (!there) return stop('renamed', `${where} lives on under another name`);
    }
  }
  return undefined;
}
