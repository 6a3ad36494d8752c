import { readFileSync } from 'node:fs';
import { type Environment, readEnvironment, variable } from './environment.ts';
import { Secret } from './secret.ts';
import { findSecret } from './secret-source.ts';

/** Names the API that commands talk to where option `--api` does not. */
const apiVariable = 'RECONCILER_API';
/** Holds the token that commands show to the API where no option does. */
const tokenVariable = 'RECONCILER_TOKEN';
/** Names a file that holds it, where the variable before does not. */
const tokenFileVariable = 'RECONCILER_TOKEN_FILE';

/** What the command line takes from the environment. */
export interface CliDefaults {
  /** Where the API listens, such as `http://127.0.0.1:8080`; not checked yet. */
  readonly api: string;
  /** Whether a variable names it, so that it is not the mere default. */
  readonly apiNamed?: boolean;
  readonly token?: Secret;
  /** A file that holds the token; read when a command needs it. */
  readonly tokenFile?: string;
}

export function cliDefaults(environment: Environment = readEnvironment()): CliDefaults {
  const token = variable(environment, tokenVariable);
  const tokenFile = variable(environment, tokenFileVariable);
  const api = variable(environment, apiVariable);
  return {
    api: api ?? 'http://127.0.0.1:8080',
    ...(api === undefined ? {} : { apiNamed: true }),
    ...(token === undefined ? {} : { token: new Secret(token) }),
    ...(tokenFile === undefined ? {} : { tokenFile }),
  };
}

/** The token that a file holds, or what is wrong with the file, as the end of a sentence. */
export function tokenInFile(file: string): { readonly secret: Secret } | { readonly problem: string } {
  const readFile = (path: string): string => readFileSync(path, 'utf8');
  return findSecret({ file }, { environment: {}, readFile, cwd: process.cwd() });
}
