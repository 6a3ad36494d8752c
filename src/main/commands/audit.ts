import type { z } from 'zod';
import { catalogKey } from '../../api/addresses.ts';
import { AuditPage } from '../../api/schemas/audit.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { marked } from '../terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { moment } from '../terminal/times.ts';
import { resolveCatalog } from './catalog-argument.ts';
import type { ListOptions } from './removals.ts';
import { inSession } from './session.ts';

export interface AuditOptions extends ListOptions {
  /** Oldest first after this entry, instead of newest first. */
  readonly after?: number;
  /** Go on with what comes. */
  readonly follow?: boolean;
}

type Entry = z.infer<typeof AuditPage>['entries'][number];

/** Often enough for whoever watches, seldom enough for the ledger. */
const lookEveryMs = 1_000;

/** `audit [CATALOG]`: who did what; the newest first, or everything after an entry in the order in which it happened. */
export function runAudit(catalog: string | undefined, options: AuditOptions, terminal: Terminal): Promise<ExitCode> {
  return inSession(options, terminal, async ({ api, json, rest }) => {
    const { limit, after, follow = false } = options;
    const of = catalog === undefined ? {} : { catalog: catalogKey(await resolveCatalog(api, catalog)) };
    const page = (query: Record<string, string>) =>
      api.get(`/api/audit?${new URLSearchParams({ ...of, limit: String(limit), ...query }).toString()}`, AuditPage);
    const first = await page(
      after === undefined ? { before: String(Number.MAX_SAFE_INTEGER) } : { after: String(after) },
    );
    // what is followed goes on below: the newest is last then
    const entries = follow && after === undefined ? first.entries.toReversed() : first.entries;
    if (!follow) {
      if (json) terminal.json(first);
      else tell(terminal, entries, first.next, after !== undefined);
      return exitCodes.ok;
    }
    const show = (entry: Entry) => {
      if (json) terminal.line(entry);
      else for (const line of entryLines(entry)) terminal.say(line);
    };
    let last = after ?? 0;
    for (let batch: readonly Entry[] = entries; ; batch = (await page({ after: String(last) })).entries) {
      for (const entry of batch) show(entry);
      last = batch.at(-1)?.id ?? last;
      if (batch.length < limit) await rest(lookEveryMs);
    }
  });
}

function tell(terminal: Terminal, entries: readonly Entry[], next: number | undefined, ascending: boolean): void {
  if (entries.length === 0) terminal.say('Nothing is on record.');
  else for (const line of entries.flatMap(entryLines)) terminal.say(line);
  if (next === undefined) return;
  terminal.tell(ascending ? `There are more: --after ${next}` : 'There are older ones: raise --limit.');
}

/** When, who and what in a line; what it was done to below. */
function entryLines({ id, at, actor, action, subject, detail }: Entry): string[] {
  const reason = typeof detail['reason'] === 'string' ? ` (${detail['reason']})` : '';
  const unverified = actor.verified ? '' : ' (unverified)';
  const line = `${moment(at)}  ${id}  ${action} by ${actor.name}${unverified}`;
  return [line, ...marked('   ', `${subject}${reason}`)];
}
