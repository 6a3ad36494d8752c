/** Variables of the environment, by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of this process; nothing else reads it. */
export function readEnvironment(): Environment {
  return Object.freeze({ ...process.env });
}

/** A variable that is set to nothing counts as not set, because that is how compose files pass on what is missing. */
export function variable(environment: Environment, name: string): string | undefined {
  const value = environment[name];
  return value === '' ? undefined : value;
}

/** Names the configuration file where no option does. */
export const fileVariable = 'RECONCILER_CONFIG';
