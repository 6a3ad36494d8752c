// Builds only when something changed, so that a second start is quick and works without a compiler at hand.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newestChange, stampPath } from './build-stamp.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const builtAt = Date.parse(
  await readFile(stampPath(root), 'utf8')
    .then((text) => text.trim())
    .catch(() => ''),
);
const upToDate = (await newestChange(root)) <= builtAt;
const onlyBuilt = !Number.isNaN(builtAt) && !existsSync(join(root, 'node_modules', 'typescript'));

if (!upToDate && !onlyBuilt) {
  const build = spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  process.exitCode = build.status ?? 1;
}
