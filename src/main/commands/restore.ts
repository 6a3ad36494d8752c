import { randomUUID } from 'node:crypto';
import { catalogAddress, catalogKey } from '../../api/addresses.ts';
import { RestoreView } from '../../api/schemas/restore.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { marked } from '../terminal/table.ts';
import { resolveCatalog } from './catalog-argument.ts';
import { type ApiOptions, inSession } from './session.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface RestoreOptions extends ApiOptions {
  readonly reason?: string;
}

/** `restore CATALOG REMOVAL-ID`: registers again what a removal took, and tells what could not be given back. */
export function runRestore(
  catalog: string,
  removal: string,
  { reason, ...options }: RestoreOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  return inSession(options, terminal, async ({ api, json, suggest }) => {
    const name = await resolveCatalog(api, catalog);
    const address = `${catalogAddress(name)}/removals/${encodeURIComponent(removal)}/restore`;
    const { body: restore } = await api.post(address, RestoreView, {
      body: reason === undefined ? {} : { reason },
      headers: { 'idempotency-key': randomUUID() },
    });
    if (json) terminal.json(restore);
    else for (const line of linesOf(restore)) terminal.say(line);
    if (restore.outcome === undefined) {
      terminal.tell(`Ask again: ${suggest('restore', catalogKey(name), removal)}`);
      return exitCodes.ok;
    }
    return restore.outcome === 'restored' ? exitCodes.ok : exitCodes.refused;
  });
}

function linesOf({ outcome, outcomeReason = '', entities, warnings }: RestoreView): string[] {
  if (outcome === undefined) return ['It is on record and not carried out yet; the review does so when a worker runs.'];
  if (outcome === 'refused') return marked('refused:', `the registry brings nothing back (${outcomeReason})`);
  return [
    `Registered again: ${entities} ${entities === 1 ? 'entry' : 'entries'}, kept for 7 days.`,
    ...(warnings.length === 0 ? [] : ['What could not be given back:']),
    ...warnings.flatMap(({ path, what }) => marked(`  ${path}:`, what)),
  ];
}
