import type { Config } from '../../src/config/config.ts';
import { type LoadInput, loadConfig } from '../../src/config/load-config.ts';
import { ConfigError, type Problem } from '../../src/config/problem.ts';

type Options = { readonly [K in keyof LoadInput]?: LoadInput[K] | undefined };

/** Loads a configuration from its text; nothing of the machine gets in. */
export function loading(yaml: string, env: Record<string, string> = {}, options: Options = {}): Config {
  const { file } = { file: 'conf.yaml', ...options };
  const { readFile = () => yaml } = options;
  return loadConfig({ ...(file === undefined ? {} : { file }), env, readFile, cwd: '/srv/here' });
}

/** What is wrong with a configuration; empty for one that can be used. */
export function problemsOf(yaml: string, env: Record<string, string> = {}, options: Options = {}): readonly Problem[] {
  try {
    loading(yaml, env, options);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}
