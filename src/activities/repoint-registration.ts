import type { CatalogName } from '../contract/names.ts';
import { knownControls } from '../domain/controls.ts';
import { settleMoved, verdictOf } from '../domain/identity.ts';
import { type Path, pathText } from '../domain/path.ts';
import type { Registration } from '../domain/registration.ts';
import type { FindingRecord, Intent } from '../ledger/ledger.ts';
import type { RepointAnswer } from '../registries/registry.ts';
import {
  carryOut,
  goOn,
  type IntentInput,
  type IntentOutcome,
  type LastLook,
  requestTimeoutMs,
  type Settlement,
  stop,
} from './carry-out-intent.ts';
import { cancellation } from './context.ts';
import type { ActivityDeps } from './deps.ts';
import { asJudged, otherEvidence } from './last-look.ts';
import { probeBatch } from './probe-batch.ts';

/** Gives one registration the name under which its object lives now. Id and attachments stay; nothing is lost. */
export async function repointRegistration(deps: ActivityDeps, input: IntentInput): Promise<IntentOutcome> {
  const registry = deps.registryOf(input.metalake);
  return carryOut<Path>(deps, input, 'repoint', {
    async look(intent, finding): Promise<LastLook<Path>> {
      const itself = await asJudged(deps, input, intent, cancellation());
      if (itself.answer === 'stop') return itself;
      return (
        (await otherEvidence(deps, input, intent, finding, [], cancellation())) ??
        (await stillMoved(deps, input, intent, finding, itself.seen, cancellation()))
      );
    },
    async act(intent, to): Promise<Settlement> {
      const answer = await registry.repoint({
        catalog: input.catalog,
        id: intent.entity,
        kind: intent.kind,
        path: intent.path,
        to,
        intentId: intent.id,
        expectedVersion: intent.version,
        actor: intent.actor.name,
        notAfter: intent.actBefore,
      });
      return readBack(deps, input, intent, to, answer);
    },
  });
}

/** Asks the source once more: gone under the old name, and at exactly one other place, the one that was decided on. */
async function stillMoved(
  deps: ActivityDeps,
  name: CatalogName,
  intent: Intent,
  finding: FindingRecord,
  itself: Registration,
  signal: AbortSignal,
): Promise<LastLook<Path>> {
  const { entity, kind, path, movedTo } = intent;
  const where = pathText(path);
  const { source } = await deps.sourceOf(name, signal);
  const known = await deps.ledger.rounds.knownObjects(intent.catalog, knownControls);
  const { fingerprint, principal } = finding.evidence;
  const targets = [itself];
  const [probed] = await probeBatch(source, { name, targets, known, fingerprint, principal }, signal);
  const answer = probed?.answer ?? { answer: 'unknown', code: 'no-answer' };
  const remembered = (await deps.ledger.removals.identitiesOf(intent.catalog, [entity])).get(entity);
  const goneWithParent = answer.answer === 'parent-absent' && source.traits.parentImpliesChild;
  const verdict = verdictOf(kind, goneWithParent ? { answer: 'absent', code: answer.code } : answer, remembered);
  if (verdict.kind === 'present') return stop('present', `${where} exists at the source again`);
  if (verdict.kind === 'replaced') return stop('replaced', `another object is named ${where} now`);
  if (verdict.kind !== 'absent') {
    return stop('source-unreachable', `the source could not tell about ${where} (${verdict.code})`);
  }
  const uids = remembered?.uid === undefined ? [] : [remembered.uid];
  const located = uids.length === 0 ? [] : await source.identify(uids, signal);
  const moved = settleMoved({ kind, path }, verdict, located, () => false);
  switch (moved.kind) {
    case 'renamed': {
      const expected = movedTo !== undefined && pathText(moved.movedTo) === pathText(movedTo);
      return expected ? goOn(movedTo) : stop('renamed', `it is named ${pathText(moved.movedTo)} by now`);
    }
    case 'copied':
      return stop('changed', 'several objects carry its identity by now');
    case 'unknown':
      return stop('source-unreachable', `the source contradicts itself about ${where}`);
    default:
      return stop('changed', 'its object is no longer found under any name');
  }
}

/** The registry's word is not enough, whichever way it goes: the name that it lists afterwards is the outcome. */
async function readBack(
  deps: ActivityDeps,
  input: IntentInput,
  intent: Intent,
  to: Path,
  answer: RepointAnswer,
): Promise<Settlement> {
  if (answer.outcome === 'unknown') return { outcome: 'unknown', reason: answer.reason, entities: 0 };
  const registry = deps.registryOf(input.metalake);
  const now = await registry.registration(input.catalog, intent.entity, AbortSignal.timeout(requestTimeoutMs));
  const name = pathText(to);
  const isThere = now !== undefined && pathText(now.path) === name;
  switch (answer.outcome) {
    case 'repointed':
      return isThere
        ? { outcome: 'repointed', reason: `re-pointed and read back as ${name}`, entities: answer.entities }
        : refused(`the registry said re-pointed, but does not list it as ${name}`);
    case 'already':
      return isThere
        ? { outcome: 'repointed', reason: `it was named ${name} already`, entities: 1 }
        : refused(`the registry said re-pointed, but does not list it as ${name}`);
    case 'already-gone':
      return now === undefined
        ? { outcome: 'already-gone', reason: 'no longer registered', entities: 0 }
        : refused('the registry said that it is gone, but still lists it');
    case 'changed':
    case 'refused':
      return isThere
        ? { outcome: 'repointed', reason: `the registry said ${answer.outcome}, but lists it as ${name}`, entities: 1 }
        : { outcome: answer.outcome, reason: answer.reason, entities: 0 };
  }
}

function refused(reason: string): Settlement {
  return { outcome: 'refused', reason, entities: 0 };
}
