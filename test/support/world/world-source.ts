import { type Path, parentPath, pathText } from '../../../src/domain/path.ts';
import type { Located, ProbeAnswer, ProbeTarget } from '../../../src/domain/verdict.ts';
import type { ListedObject, ProbeBatch, Source, SourceCheck } from '../../../src/sources/source.ts';
import type { World } from './world.ts';

/** The world's source, seen through the port. */
export function worldSource(world: World, traits: Partial<Source['traits']> = {}): Source {
  const answering = async (asked: 'check' | 'probe' | 'identify', signal: AbortSignal): Promise<void> => {
    world.questions += 1;
    await world.beforeAnswer?.(asked);
    signal.throwIfAborted();
    if (world.sourceFault !== undefined) throw world.sourceFault;
  };
  const controls = (known: readonly ProbeTarget[]) => ({
    builtin: { answer: 'present', code: 'row', found: 'other' } as const,
    impossible: { answer: 'absent', code: 'no-row' } as const,
    ...world.wrongControls,
    known: known.map(({ path }) => answerFor(world, path)),
  });
  return {
    traits: { source: 'world', batchSize: 50, parentImpliesChild: true, stableIdentity: true, ...traits },
    async check(known, signal): Promise<SourceCheck> {
      await answering('check', signal);
      return { fingerprint: world.fingerprint, principal: world.principal, controls: controls(known) };
    },
    async probe(targets, known, signal): Promise<ProbeBatch> {
      await answering('probe', signal);
      return {
        answers: targets.slice(world.answersLost).map(({ path }) => answerFor(world, path)),
        controls: controls(known),
        fingerprint: world.fingerprint,
        principal: world.principal,
        asked: { asked: 'look-up by name', strength: 'conclusive' },
      };
    },
    async identify(uids, signal): Promise<readonly Located[]> {
      await answering('identify', signal);
      return [...world.objects.values()].filter(({ uid }) => uids.includes(uid));
    },
    async *list(): AsyncIterable<ListedObject> {
      yield* [...world.objects.values()].sort((a, b) => a.path.length - b.path.length);
    },
    close: async () => undefined,
  };
}

function answerFor(world: World, path: Path): ProbeAnswer {
  const object = world.objects.get(pathText(path));
  if (object !== undefined) return { answer: 'present', code: 'row', found: object.found, uid: object.uid };
  const parent = parentPath(path);
  if (parent !== undefined && !world.objects.has(pathText(parent)))
    return { answer: 'parent-absent', code: 'no-parent' };
  return { answer: 'absent', code: 'no-row' };
}
