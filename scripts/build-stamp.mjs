// Two answers for the build: is dist/ older than what it was made from, and is the workflow bundle still the same one?
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** Holds the time at which the last complete build began. */
export const stampPath = (root) => join(root, 'dist', '.built');

const madeFrom = ['src', 'web', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];

/** Unix milliseconds of the newest change; folders count too, because a deletion shows only there. */
export async function newestChange(root) {
  const times = await Promise.all(
    madeFrom.map(async (name) => {
      const path = join(root, name);
      const info = await stat(path).catch(() => undefined);
      if (info === undefined) return 0;
      if (!info.isDirectory()) return info.mtimeMs;
      const inside = (await readdir(path, { recursive: true })).map((entry) => changedAt(join(path, entry)));
      return Math.max(info.mtimeMs, ...(await Promise.all(inside)));
    }),
  );
  return Math.max(...times);
}

/** A file that went away between the listing and this look shows in the time of its folder. */
async function changedAt(path) {
  return stat(path).then(
    (info) => info.mtimeMs,
    () => 0,
  );
}

/** Digest of all that can end up in the bundle: what workflows may import, and the versions of the packages. */
export async function bundleDigest(root) {
  const hash = createHash('sha256').update(await readFile(join(root, 'package-lock.json')));
  for (const room of ['workflows', 'contract', 'domain']) {
    const files = await readdir(join(root, 'src', room), { recursive: true, withFileTypes: true }).catch(() => []);
    const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
    for (const path of paths.sort()) hash.update(`\0${relative(root, path)}\0`).update(await readFile(path));
  }
  return hash.digest('hex');
}
