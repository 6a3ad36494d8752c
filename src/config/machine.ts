import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Environment, readEnvironment, variable } from './environment.ts';

/** What `up` asks of the machine to find or fetch a Temporal server. */
export interface Machine {
  /** Where programs are looked for. */
  readonly searchPath: string;
  /** Where what was fetched once is kept. */
  readonly cacheDir: string;
}

export function readMachine(environment: Environment = readEnvironment()): Machine {
  const caches = variable(environment, 'XDG_CACHE_HOME') ?? join(homedir(), '.cache');
  return { searchPath: variable(environment, 'PATH') ?? '', cacheDir: join(caches, 'catalog-reconciler') };
}
