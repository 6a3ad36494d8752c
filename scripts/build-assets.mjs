// What the compiler does not do: migrations, the page and the workflow bundle into dist/, and nothing stale left there.
import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleDigest } from './build-stamp.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const src = join(root, 'src');
const web = join(root, 'web');
const dist = join(root, 'dist');

await mkdir(dist, { recursive: true });
await pruneStale();
await copyMigrations();
if (await exists(web)) await cp(web, join(dist, 'web'), { recursive: true });
if (await exists(join(dist, 'main', 'cli.js'))) await chmod(join(dist, 'main', 'cli.js'), 0o755);
await bundleWorkflows();

/** Removes what was made from a file that is gone. Nothing else is touched: a running process may be reading dist/. */
async function pruneStale() {
  for (const path of await filesIn(dist)) {
    const origin = originOf(relative(dist, path).split(sep));
    if (origin !== undefined && !(await exists(origin))) await rm(path, { force: true });
  }
}

function originOf(segments) {
  if (segments[0] === 'web') return join(root, ...segments);
  if (segments.length === 1) return undefined; // the bundle and the stamps
  if (segments.includes('migrations')) return join(src, ...segments);
  return join(src, ...segments).replace(/\.js(\.map)?$/, '.ts');
}

async function copyMigrations() {
  for (const path of await filesIn(src)) {
    const name = relative(src, path);
    if (name.split(sep).includes('migrations')) await cp(path, join(dist, name));
  }
}

async function bundleWorkflows() {
  const workflowsPath = join(src, 'workflows', 'index.ts');
  if (!(await exists(workflowsPath))) return;
  const target = join(dist, 'workflow-bundle.js');
  const digest = await bundleDigest(root);
  const known = await readFile(`${target}.digest`, 'utf8').catch(() => '');
  if (known !== digest || !(await exists(target))) {
    const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
    const { code } = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN') });
    await writeFile(`${target}.new`, code);
    await rename(`${target}.new`, target);
    await writeFile(`${target}.digest`, digest);
  }
  console.log(`workflow bundle: ${Math.round((await stat(target)).size / 1024)} KiB`);
}

async function filesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function exists(path) {
  return stat(path).then(
    () => true,
    () => false,
  );
}
