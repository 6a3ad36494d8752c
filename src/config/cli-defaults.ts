import { type Environment, readEnvironment, variable } from './environment.ts';

/** Names the API that commands talk to where option `--api` does not. */
export const apiVariable = 'RECONCILER_API';

/** What the command line takes from the environment. */
export interface CliDefaults {
  /** Where the API listens, such as `http://127.0.0.1:8080`; not checked yet. */
  readonly api: string;
}

export function cliDefaults(environment: Environment = readEnvironment()): CliDefaults {
  return { api: variable(environment, apiVariable) ?? 'http://127.0.0.1:8080' };
}
