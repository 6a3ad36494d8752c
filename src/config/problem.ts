/** One thing to mend in the configuration. */
export interface Problem {
  /** `reconciler.yaml:12`, or the environment variable. */
  readonly where: string;
  /** The full key, where there is one. */
  readonly key?: string;
  /** What is wrong and how to mend it. Never a secret. */
  readonly text: string;
}

/** Takes down a problem with a key; where that key was written is found out elsewhere. */
export type Report = (key: readonly string[], text: string) => void;

/** The configuration cannot be used. Lists all that is wrong with it, one line each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const sorted = problems.toSorted(byLine);
    const lines = sorted.map(({ where, key, text }) => `  ${[where, key].filter(Boolean).join('  ')}: ${text}`);
    const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
    super(`The configuration has ${count}:\n${lines.join('\n')}`);
    this.problems = sorted;
  }
}

/** As one reads the file; what has no line (a variable) comes last. */
function byLine(left: Problem, right: Problem): number {
  return lineOf(left) - lineOf(right);
}

function lineOf({ where }: Problem): number {
  return Number(/:(\d+)$/.exec(where)?.[1] ?? Number.MAX_SAFE_INTEGER);
}
