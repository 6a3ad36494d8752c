import type { Registration } from './registration.ts';

/** Why a registration is in the snapshot without being probed; `probe` for one that is. */
export type Mark = 'probe' | 'managed' | 'protected' | 'excluded' | 'out-of-scope';

/** Compiled patterns of a policy; each answers for the text form of a path. */
export interface ScopePatterns {
  readonly include: readonly ((path: string) => boolean)[];
  readonly exclude: readonly ((path: string) => boolean)[];
  readonly protect: readonly ((path: string) => boolean)[];
}

/**
 * How a registration takes part in a round. A protected one is probed by nobody, since no answer could matter; a
 * managed one never, since its catalog owns the storage.
 */
export function markOf(registration: Registration, pathText: string, patterns: ScopePatterns): Mark {
  const matches = (tests: readonly ((path: string) => boolean)[]) => tests.some((test) => test(pathText));
  if (registration.managed) return 'managed';
  if (matches(patterns.protect)) return 'protected';
  if (matches(patterns.exclude)) return 'excluded';
  if (patterns.include.length > 0 && !matches(patterns.include)) return 'out-of-scope';
  return 'probe';
}
