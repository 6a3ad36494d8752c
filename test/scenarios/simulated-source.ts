import { parentPath, pathText, type Path } from '../../src/domain/path.ts';
import type { ProbeAnswer, ProbeTarget } from '../../src/domain/verdict.ts';
import type { Source } from '../../src/sources/source.ts';
import type { World } from '../support/world/world.ts';
import { worldSource } from '../support/world/world-source.ts';
import type { Simulation } from './simulation.ts';

/** What the source said, in the order in which it said it. */
export interface SourceLog {
  checked(said: {
    readonly fingerprint: string;
    readonly principal: string;
    readonly known: readonly ProbeAnswer[];
  }): void;
  probed(said: {
    readonly fingerprint: string;
    readonly principal: string;
    readonly answers: ReadonlyMap<string, ProbeAnswer>;
    readonly conclusive: boolean;
  }): void;
  located(uids: readonly string[]): void;
}

/**
 * The source of a simulated catalog as somebody sees it under the conditions of the moment.
 *
 * @param asker lies are told to rounds only: the last look before a removal meets an honest source
 */
export function simulatedSource(
  simulation: Simulation,
  world: World,
  asker: () => 'round' | 'last-look',
  log: SourceLog,
): Source {
  const { conditions, beginning } = simulation;
  const { parentImpliesChild, stableIdentity } = beginning;
  const inner = worldSource(world, { parentImpliesChild, stableIdentity, batchSize: 7 });

  const isDenied = (path: Path): boolean => conditions.denied.has(pathText(path));
  const isLiedAbout = (path: Path): boolean => asker() === 'round' && conditions.lies.has(pathText(path));

  const seenAs = (path: Path, truth: ProbeAnswer): ProbeAnswer => {
    if (conditions.proxy === 'all-absent') return { answer: 'absent', code: 'no-row' };
    if (conditions.proxy === 'all-present') return { answer: 'present', code: 'row', found: 'table', uid: 'proxy' };
    if (isDenied(path)) return { answer: 'unknown', code: '42501' };
    const parent = parentPath(path);
    if (parent !== undefined && isDenied(parent)) return { answer: 'parent-absent', code: 'no-parent' };
    if (!parentImpliesChild && parent !== undefined && !world.objects.has(pathText(parent)))
      return { answer: 'parent-absent', code: 'no-parent' };
    if (conditions.hidden.has(pathText(path)) || isLiedAbout(path)) return { answer: 'absent', code: 'no-row' };
    if (truth.answer !== 'present' || stableIdentity) return truth;
    return { answer: 'present', code: truth.code, found: truth.found };
  };
  const controlsOf = (known: readonly ProbeTarget[], truth: readonly ProbeAnswer[]) => ({
    builtin:
      conditions.proxy === 'all-absent'
        ? ({ answer: 'absent', code: 'no-row' } as const)
        : ({ answer: 'present', code: 'row', found: 'other' } as const),
    impossible:
      conditions.proxy === 'all-present'
        ? ({ answer: 'present', code: 'row', found: 'table' } as const)
        : ({ answer: 'absent', code: 'no-row' } as const),
    known: known.map(({ path }, index) => seenAs(path, truth[index] ?? { answer: 'unknown', code: 'none' })),
  });

  return {
    ...inner,
    async check(known, signal) {
      const { fingerprint, principal, controls } = await inner.check(known, signal);
      const seen = controlsOf(known, controls.known);
      log.checked({ fingerprint, principal, known: seen.known });
      return { fingerprint, principal, controls: seen };
    },
    async probe(targets, known, signal) {
      const batch = await inner.probe(targets, known, signal);
      const answers = targets.map(({ path }, index) => {
        const truth = batch.answers[index] ?? { answer: 'unknown', code: 'none' };
        return seenAs(path, truth);
      });
      const conclusive = conditions.hidden.size === 0;
      const fingerprint = conditions.proxy === 'other-database' ? 'elsewhere' : batch.fingerprint;
      const { principal } = batch;
      const byPath = new Map(targets.map(({ path }, index) => [pathText(path), answers[index] ?? nothing]));
      log.probed({ fingerprint, principal, answers: byPath, conclusive });
      return {
        answers: conditions.proxy === 'truncated' ? answers.slice(1) : answers,
        controls: controlsOf(known, batch.controls.known),
        fingerprint,
        principal,
        asked: { asked: 'look-up by name', strength: conclusive ? 'conclusive' : 'privilege-filtered' },
      };
    },
    async identify(uids, signal) {
      const located = (await inner.identify(uids, signal)).filter(
        ({ path }) => !conditions.hidden.has(pathText(path)) && !isLiedAbout(path),
      );
      log.located(located.map(({ uid }) => uid));
      return located;
    },
  };
}

const nothing: ProbeAnswer = { answer: 'unknown', code: 'none' };
