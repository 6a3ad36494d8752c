import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { openTestLedger } from '../support/ledger.ts';
import { Coverage } from './coverage.ts';
import { explore } from './explore.ts';
import type { History } from './history.ts';
import { HistoryFailed, play } from './play.ts';

/*
 * npm run scenarios -- --seeds N [--start S]     plays a history a seed, until one breaks a rule
 * npm run scenarios -- --replay FILE-OR-JSON     plays one history
 * Either takes --database URL: a PostgreSQL for the ledger instead of the embedded one, which is slower.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    start: { type: 'string', default: '1' },
    replay: { type: 'string' },
    database: { type: 'string' },
  },
});

const ledger = await openTestLedger(values.database, 'once');
const succeeded = values.replay === undefined ? await exploreSeeds() : await replay(values.replay);
await ledger.close();
process.exit(succeeded ? 0 : 1);

async function exploreSeeds(): Promise<boolean> {
  const start = Number(values.start);
  const count = Number(values.seeds);
  const { played, tookMs, coverage, failure } = await explore(
    ledger,
    { start, count, width: values.database === undefined ? 1 : 4 },
    (done, ms) => {
      if (done % 50 === 0) console.log(`${done} of ${count} histories, ${(done / (ms / 1_000)).toFixed(1)} a second`);
    },
  );
  console.log(`\n${coverage.table()}\n`);
  console.log(`${played} histories in ${(tookMs / 1_000).toFixed(0)} s, seeds from ${start}`);
  if (failure === undefined) return true;
  console.log(`\nseed ${failure.seed} breaks a rule: ${failure.broken}\n${failure.message}\n`);
  console.log(`replay it with: npm run scenarios -- --replay '${JSON.stringify(failure.history)}'`);
  return false;
}

async function replay(given: string): Promise<boolean> {
  const text = given.trimStart().startsWith('{') ? given : await readFile(given, 'utf8');
  const coverage = new Coverage();
  try {
    await play(JSON.parse(text) as History, ledger, coverage);
    console.log(coverage.table());
    return true;
  } catch (error) {
    if (!(error instanceof HistoryFailed)) throw error;
    for (const { rule, detail } of error.violations) console.log(rule, JSON.stringify(detail, null, 1));
    return false;
  }
}
