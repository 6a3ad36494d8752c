import { resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { loadConfig } from '../config/load-config.ts';
import type { ApiProcessOptions } from './start-options.ts';

/** The configuration of a process, with what its command line says instead. */
export function processConfig({ config: file, dataDir, port }: ApiProcessOptions): Config {
  const config = loadConfig(file === undefined ? {} : { file });
  return Object.freeze({
    ...config,
    ...(dataDir === undefined ? {} : { dataDir: resolve(dataDir) }),
    ...(port === undefined ? {} : { server: { ...config.server, port } }),
  });
}
