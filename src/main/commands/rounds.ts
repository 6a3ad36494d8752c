import { catalogAddress, catalogKey } from '../../api/addresses.ts';
import { RoundPage, type RoundView } from '../../api/schemas/round.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { marked, table } from '../terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { moment } from '../terminal/times.ts';
import { resolveCatalog } from './catalog-argument.ts';
import type { ListOptions } from './removals.ts';
import { inSession } from './session.ts';

/** `rounds CATALOG`: rounds and dry scans, newest first. */
export function runRounds(catalog: string, options: ListOptions, terminal: Terminal): Promise<ExitCode> {
  return inSession(options, terminal, async ({ api, json, suggest }) => {
    const name = await resolveCatalog(api, catalog);
    const page = await api.get(`${catalogAddress(name)}/rounds?limit=${options.limit}`, RoundPage);
    if (json) {
      terminal.json(page);
      return exitCodes.ok;
    }
    if (page.rounds.length === 0) {
      terminal.say(`${catalogKey(name)} had no round yet.`);
      terminal.tell(`Run one: ${suggest('reconcile', catalogKey(name))}`);
      return exitCodes.ok;
    }
    const heads = ['STARTED', 'STATE', 'ENTRIES', 'ABSENT', 'OPEN', 'DUE', 'BY'];
    for (const line of table(heads, page.rounds.map(row))) terminal.say(line);
    const [latest] = page.rounds;
    if (latest?.reason !== undefined) {
      terminal.say();
      for (const line of marked(`${latest.state}:`, latest.reason.message)) terminal.say(line);
    }
    return exitCodes.ok;
  });
}

function row({ startedAt, state, dry, counts, requestedBy }: RoundView): readonly string[] {
  const figure = (count: number | undefined) => (counts === undefined ? '-' : String(count ?? 0));
  return [
    moment(startedAt),
    dry ? `${state} (dry)` : state,
    figure(counts?.registrations),
    figure(counts?.verdicts.absent),
    figure(counts?.open),
    figure(counts?.due),
    requestedBy.name,
  ];
}
