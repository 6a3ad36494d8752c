import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { type Figure, figure, tableOf } from './figure.ts';
import { measureDecisions } from './decisions.ts';
import { measureLedgerGrowth } from './ledger-growth.ts';
import { measureManyCatalogs } from './many-catalogs.ts';
import { measureStalePage } from './stale-page.ts';
import { measureHistory } from './history.ts';
import { measureMemory } from './memory.ts';
import { measureRemovals } from './removals.ts';
import { measureRound } from './round.ts';
import { measureSlowSource } from './slow-source.ts';
import { Workshop } from './workshop.ts';

const measures = {
  round: measureRound,
  'slow-source': measureSlowSource,
  history: measureHistory,
  'ledger-growth': measureLedgerGrowth,
  'many-catalogs': measureManyCatalogs,
  removals: measureRemovals,
  memory: measureMemory,
  'stale-page': measureStalePage,
  decisions: measureDecisions,
} as const satisfies Record<string, (workshop: Workshop) => Promise<readonly Figure[]>>;

type MeasureName = keyof typeof measures;

const isMeasure = (name: string): name is MeasureName => Object.hasOwn(measures, name);

async function run(wanted: readonly MeasureName[]): Promise<readonly Figure[]> {
  const workshop = new Workshop();
  const interrupted = (): void => {
    // Calls under way lose their connections, and the SDK throws that from a timer, where nobody can catch it.
    process.on('uncaughtException', () => undefined);
    workshop.tell('interrupted: ending what was started');
    void workshop.close().finally(() => process.exit(130));
  };
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  try {
    const figures: Figure[] = [];
    for (const name of wanted) {
      workshop.tell(`${name}:`);
      figures.push(...(await measures[name](workshop)));
    }
    return figures;
  } finally {
    workshop.tell('ending the servers');
    await workshop.close();
    process.removeListener('SIGINT', interrupted).removeListener('SIGTERM', interrupted);
  }
}

const all = Object.keys(measures).filter(isMeasure);
const given = process.argv.slice(2);
const unknown = given.find((name) => !isMeasure(name));
if (unknown !== undefined) {
  process.stderr.write(`There is no measurement ${unknown}. There are: ${all.join(', ')}.\n`);
  process.exitCode = 2;
} else {
  const [loadBefore = 0] = loadavg();
  const figures = [
    ...(await run(given.length === 0 ? all : given.filter(isMeasure))),
    figure('load of the machine before', loadBefore, 'processes'),
  ];
  process.stdout.write(`\n${tableOf(figures)}\n`);
  if (given.length === 0) {
    // Only a whole run is written down, so that all figures in the file are of one run.
    await writeFile(new URL('latest.json', import.meta.url), `${JSON.stringify(figures, null, 2)}\n`);
  }
}
