import { catalogAddress, catalogKey } from '../../api/addresses.ts';
import { RemovalPage } from '../../api/schemas/removal.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { marked, table } from '../terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { moment } from '../terminal/times.ts';
import { resolveCatalog } from './catalog-argument.ts';
import { type ApiOptions, inSession } from './session.ts';

export interface ListOptions extends ApiOptions {
  /** At most so many are shown, the newest. */
  readonly limit: number;
}

/** `removals CATALOG`: what was removed or re-pointed and what was not, newest first, and by whom. */
export function runRemovals(catalog: string, options: ListOptions, terminal: Terminal): Promise<ExitCode> {
  return inSession(options, terminal, async ({ api, json, suggest }) => {
    const name = await resolveCatalog(api, catalog);
    const page = await api.get(`${catalogAddress(name)}/removals?limit=${options.limit}`, RemovalPage);
    if (json) {
      terminal.json(page);
      return exitCodes.ok;
    }
    if (page.removals.length === 0) {
      terminal.say(`Nothing was removed from ${catalogKey(name)} yet.`);
      terminal.tell(`What is stale: ${suggest('stale', catalogKey(name))}`);
      return exitCodes.ok;
    }
    const rows = page.removals.map(({ at, outcome, entities, actor, kind, path, movedTo }) => [
      moment(at),
      outcome,
      String(entities),
      actor.name,
      kind,
      movedTo === undefined ? path : `${path} -> ${movedTo}`,
    ]);
    for (const line of table(['AT', 'OUTCOME', 'ENTRIES', 'BY', 'KIND', 'PATH'], rows)) terminal.say(line);
    const explained = page.removals
      .filter(({ outcome }) => outcome !== 'removed' && outcome !== 'repointed')
      .map(({ outcome, outcomeText, reason }) => marked(`${outcome}:`, `${outcomeText} (${reason})`).join('\n'));
    if (explained.length > 0) terminal.say();
    for (const text of new Set(explained)) for (const line of text.split('\n')) terminal.say(line);
    const undoable = page.removals.find(({ outcome }) => outcome === 'removed');
    if (undoable !== undefined) {
      terminal.tell(`Undo the latest: ${suggest('restore', catalogKey(name), undoable.id)} (--json tells every id)`);
    }
    if (page.next !== undefined) terminal.tell(`There are older ones: raise --limit above ${options.limit}.`);
    return exitCodes.ok;
  });
}
