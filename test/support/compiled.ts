import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/**
 * Compiles one file of `src` and what it imports, so that a plain `node` process can load it: for tests that kill
 * processes of ours. Takes about a second; types are not checked here.
 */
export async function compiled(entry: string): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const cache = join(root, 'node_modules', '.cache', 'catalog-reconciler'); // within reach of node_modules
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'compiled-'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const options = ['--ignoreConfig', '--noCheck', '--module', 'nodenext', '--target', 'es2023', '--types', 'node'];
  const imports = ['--allowImportingTsExtensions', '--rewriteRelativeImportExtensions', '--rootDir', 'src'];
  const args = [tsc, join('src', entry), ...options, ...imports, '--outDir', folder];
  await promisify(execFile)(process.execPath, args, { cwd: root });
  return {
    path: join(folder, entry.replace(/\.ts$/, '.js')),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
