// Compiles, then adds what the compiler does not make; the stamp says when a complete build began.
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stampPath } from './build-stamp.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
// a file that changes while we build is then newer than the stamp, and the next build looks at it
const beganAt = new Date();

const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const compiled = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
if (compiled.status !== 0) process.exit(compiled.status ?? 1);
await import('./build-assets.mjs');
await writeFile(stampPath(root), `${beganAt.toISOString()}\n`);
