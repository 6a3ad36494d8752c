import type { CatalogGlance } from '../../api/schemas/catalog.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { table } from '../terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { moment } from '../terminal/times.ts';
import { barLines } from './catalog-lines.ts';
import { everyCatalog } from './every-catalog.ts';
import { type ApiOptions, inSession } from './session.ts';

/** `catalogs`: every catalog at a glance, and what holds its removals back. */
export function runCatalogs(options: ApiOptions, terminal: Terminal): Promise<ExitCode> {
  return inSession(options, terminal, async ({ api, json, suggest }) => {
    const overview = await everyCatalog(api);
    if (json) {
      terminal.json(overview);
      return exitCodes.ok;
    }
    for (const { name, answered, why } of overview.metalakes) {
      if (!answered) terminal.tell(`Metalake ${name} does not list its catalogs: ${why ?? 'no answer'}`);
    }
    if (overview.catalogs.length === 0) {
      terminal.say('There are no catalogs yet.');
      return exitCodes.ok;
    }
    const heads = ['STATE', 'POLICY', 'OPEN', 'DUE', 'APPROVED', 'JUDGED', 'CATALOG'];
    for (const line of table(heads, overview.catalogs.map(row))) terminal.say(line);
    for (const catalog of overview.catalogs) {
      const bars = barLines(catalog);
      if (bars.length > 0) terminal.say(`${catalog.address}:`);
      for (const line of bars) terminal.say(line);
    }
    const stale = overview.catalogs.find(({ open }) => open > 0);
    if (stale !== undefined) terminal.tell(`What is stale: ${suggest('stale', stale.address)}`);
    return exitCodes.ok;
  });
}

function row({ state, hold, pause, stop, registered, policy, open, due, approved, published, address }: CatalogGlance) {
  const marks = [
    state,
    ...(hold.length > 0 ? ['held'] : []),
    ...(pause === undefined ? [] : ['paused']),
    ...(stop === undefined ? [] : ['stopped']),
    ...(registered === 'no' ? ['unregistered'] : []),
  ];
  return [marks.join(','), policy.mode, String(open), String(due), String(approved), moment(published?.at), address];
}
