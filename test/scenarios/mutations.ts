import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { openTestLedger } from '../support/ledger.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import type { explore } from './explore.ts';
import { type Mutation, mutations } from './mutation-list.ts';

/*
 * npm run scenarios:mutations [-- --only TEXT] [--seeds N] [--start S]
 * Breaks one rule at a time on a copy of the sources, and shows after how many histories which invariant noticed. Exits
 * with 1 where one was not noticed. The ledger is on a PostgreSQL of its own, as dozens of thousands of statements take
 * minutes on the embedded one.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    seeds: { type: 'string', default: '600' },
    start: { type: 'string', default: '1' },
  },
});

const root = fileURLToPath(new URL('../../', import.meta.url));
const server = await PostgresServer.start({ fsync: 'off', synchronous_commit: 'off', jit: 'off' });
const unnoticed: string[] = [];
for (const mutation of mutations.filter(({ rule }) => rule.includes(values.only))) {
  if (!(await isNoticed(mutation))) unnoticed.push(mutation.rule);
}
await server.stop();
console.log(unnoticed.length === 0 ? '\nall noticed' : `\nNOT noticed:\n${unnoticed.join('\n')}`);
process.exit(unnoticed.length === 0 ? 0 : 1);

async function isNoticed(mutation: Mutation): Promise<boolean> {
  const copy = await mkdtemp(join(tmpdir(), 'catalog-reconciler-mutation-'));
  try {
    for (const folder of ['src', 'test', 'package.json', 'tsconfig.json'])
      await cp(join(root, folder), join(copy, folder), { recursive: true });
    await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
    await patch(copy, mutation);
    const mutated = (await import(pathToFileURL(join(copy, 'test/scenarios/explore.ts')).href)) as {
      readonly explore: typeof explore;
    };
    const start = Number(values.start);
    const mutatedLedger = await openMutated(copy);
    const seeds = { start, count: Number(values.seeds), width: 4, shrinkMs: 20_000 };
    const { played, failure } = await mutated.explore(mutatedLedger, seeds);
    await mutatedLedger.close();
    console.log(`\n${mutation.rule}`);
    if (failure === undefined) {
      console.log(`  not noticed in ${played} histories`);
      return false;
    }
    console.log(`  noticed after ${played} histories (seed ${failure.seed}): ${failure.broken}`);
    console.log(`  ${JSON.stringify(failure.history.steps)}`);
    return true;
  } finally {
    await rm(copy, { recursive: true });
  }
}

async function openMutated(copy: string): ReturnType<typeof openTestLedger> {
  const module = (await import(pathToFileURL(join(copy, 'test/support/ledger.ts')).href)) as {
    readonly openTestLedger: typeof openTestLedger;
  };
  return module.openTestLedger(server.url(), 'once');
}

async function patch(copy: string, { rule, patches }: Mutation): Promise<void> {
  for (const { file, find, replace } of patches) {
    const path = join(copy, 'src', file);
    const text = await readFile(path, 'utf8');
    if (!text.includes(find)) throw new Error(`"${rule}": src/${file} has no longer the text: ${find}`);
    await writeFile(
      path,
      text.replaceAll(find, () => replace),
    );
  }
}
