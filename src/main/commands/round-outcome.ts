import type { z } from 'zod';
import { catalogKey } from '../../api/addresses.ts';
import type { RoundStarted } from '../../api/schemas/reconcile.ts';
import { AbsentPage, type RoundDetail, type RoundView } from '../../api/schemas/round.ts';
import type { CatalogName } from '../../contract/names.ts';
import { type ApiClient, ApiRefusal } from '../api-client.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { marked, table } from '../terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { moment } from '../terminal/times.ts';
import type { Session } from './session.ts';

/** At most so many absent registrations are printed; `stale` and `--json` have the rest. */
const shown = 50;

type Absent = z.infer<typeof AbsentPage>['absent'];

/** Tells what a round that has ended found, or why it came to no conclusion. */
export async function showRound(
  { api, terminal, json, suggest }: Session,
  name: CatalogName,
  started: RoundStarted,
  round: RoundDetail,
): Promise<ExitCode> {
  const conclusive = round.state === 'published' || round.state === 'scanned';
  const absent = conclusive ? await absentOf(api, started.absent, json ? Number.POSITIVE_INFINITY : shown) : [];
  if (json) {
    terminal.json({ catalog: catalogKey(name), round, ...(absent === 'gone' ? { absentGone: true } : { absent }) });
    return conclusive ? exitCodes.ok : exitCodes.refused;
  }
  for (const line of outcomeLines(name, round)) terminal.say(line);
  if (!conclusive) {
    terminal.tell('Nothing was judged and nothing removed.');
    return exitCodes.refused;
  }
  if (absent === 'gone') terminal.say('  A newer round has replaced its verdicts.');
  else tellAbsent(terminal, round.record, absent);
  if (!round.dry && absent.length > 0) terminal.tell(`What each waits for: ${suggest('stale', catalogKey(name))}`);
  if (!round.dry && (round.record?.counts?.due ?? 0) > 0) {
    terminal.tell(`Removals follow: ${suggest('removals', catalogKey(name))}`);
  }
  return exitCodes.ok;
}

function outcomeLines(name: CatalogName, { record, state, dry }: RoundDetail): string[] {
  const counts = record?.counts;
  const lines = [`${dry ? 'Scan' : 'Round'} of ${catalogKey(name)}: ${state}`];
  if (counts !== undefined) {
    const verdicts = Object.entries(counts.verdicts).map(([verdict, count]) => `${count} ${verdict}`);
    const open = dry ? '' : `; ${counts.open} open, ${counts.due} due`;
    lines.push(...marked(' ', `${counts.registrations} registered: ${verdicts.join(', ') || 'none probed'}${open}`));
  }
  if (record?.guard !== undefined && record.guard.absent > 0)
    lines.push(...marked('  Guard:', guardLine(record.guard)));
  for (const { code, text } of record?.hold ?? []) lines.push(...marked(`  Held (${code}):`, text));
  if (record?.reason !== undefined) lines.push(...marked('  Because:', record.reason.message));
  return lines;
}

/** What the guard saw, which is worth reading before a policy removes by itself. */
function guardLine({ absent, admitted, conclusive, share }: NonNullable<RoundView['guard']>): string {
  const left = admitted === 0 ? '' : `, ${admitted} of them admitted`;
  return `${absent} of ${conclusive} clear answers say absent${left}: ${(share * 100).toFixed(1)} %`;
}

function tellAbsent(terminal: Terminal, record: RoundView | undefined, absent: Absent): void {
  if (absent.length === 0) {
    terminal.say('  Nothing is absent.');
    return;
  }
  const rows = absent.map(({ kind, firstMissedAt, probedAt, removed, path }) => [
    kind,
    moment(firstMissedAt ?? probedAt),
    removed ? 'removed' : 'absent',
    path,
  ]);
  terminal.say();
  for (const line of table(['KIND', 'FIRST MISSED', 'IS', 'PATH'], rows)) terminal.say(line);
  const more = (record?.counts?.verdicts.absent ?? 0) - absent.length;
  if (more > 0) terminal.say(`… and ${more} more`);
}

/** `gone` where a newer round was published since: its findings tell then, and an empty list would tell a lie. */
async function absentOf(api: ApiClient, address: string, limit: number): Promise<Absent | 'gone'> {
  const absent: Absent = [];
  for (let cursor: string | undefined; ; ) {
    const query = new URLSearchParams({
      limit: String(Math.min(500, limit - absent.length)),
      ...(cursor === undefined ? {} : { cursor }),
    });
    const page = await pageOrGone(api, `${address}?${query.toString()}`);
    if (page === undefined) return 'gone';
    absent.push(...page.absent);
    if (page.next === undefined || absent.length >= limit) return absent;
    cursor = page.next;
  }
}

async function pageOrGone(api: ApiClient, address: string): Promise<z.infer<typeof AbsentPage> | undefined> {
  try {
    return await api.get(address, AbsentPage);
  } catch (error) {
    if (error instanceof ApiRefusal && error.problem.type.endsWith('/verdicts-gone')) return undefined;
    throw error;
  }
}
