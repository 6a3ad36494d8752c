import type { Path } from '../../../src/domain/path.ts';
import type { ProbeTarget } from '../../../src/domain/verdict.ts';
import type { Source } from '../../../src/sources/source.ts';

/** The source as a registry asks it that registered every table at the place of its name. */
export function locatedSource(source: Source, locationOf: (path: Path) => string): Source {
  const located = (target: ProbeTarget): ProbeTarget => ({ ...target, location: locationOf(target.path) });
  return {
    traits: source.traits,
    check: (known, signal) => source.check(known.map(located), signal),
    probe: (targets, known, signal) => source.probe(targets.map(located), known.map(located), signal),
    identify: (uids, signal) => source.identify(uids, signal),
    list: (signal) => source.list(signal),
    close: () => source.close(),
  };
}
