import { randomUUID } from 'node:crypto';
import { catalogAddress, catalogKey } from '../../api/addresses.ts';
import { KeepEnded, KeepList, KeepOrdered, type KeepView } from '../../api/schemas/keep.ts';
import { type ExitCode, UsageError, exitCodes } from '../exit-codes.ts';
import { table } from '../terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { moment } from '../terminal/times.ts';
import { resolveCatalog } from './catalog-argument.ts';
import type { ListOptions } from './removals.ts';
import { type ApiOptions, inSession } from './session.ts';

export interface KeepPatternOptions extends ApiOptions {
  readonly pattern: string;
  readonly all?: boolean;
  readonly reason?: string;
  /** Unix milliseconds; for good where not given. */
  readonly until?: number;
}

/** `keep CATALOG --pattern PATTERN`: keeps whatever matches, now and as rounds find it. */
export function runKeepPattern(
  catalog: string,
  paths: readonly string[],
  options: KeepPatternOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { pattern, reason, until } = options;
  return inSession(options, terminal, async ({ api, json, suggest }) => {
    if (paths.length > 0 || options.all === true) throw new UsageError('Give paths, --all, or --pattern: one of them.');
    const name = await resolveCatalog(api, catalog);
    const { body } = await api.post(`${catalogAddress(name)}/keeps`, KeepOrdered, {
      body: {
        pattern,
        ...(reason === undefined ? {} : { reason }),
        ...(until === undefined ? {} : { keepUntil: until }),
      },
      headers: { 'idempotency-key': randomUUID() },
    });
    if (json) {
      terminal.json(body);
      return exitCodes.ok;
    }
    const { keep, kept } = body;
    terminal.say(`Whatever matches ${keep.pattern} in ${catalogKey(name)} is kept ${lasting(keep)}.`);
    terminal.say(`  ${kept} open ${kept === 1 ? 'finding matches' : 'findings match'} now.`);
    terminal.tell(`Take it back: ${suggest('unkeep', catalogKey(name), keep.id)}`);
    return exitCodes.ok;
  });
}

/** `keeps CATALOG`: its standing keeps, newest first. */
export function runKeeps(catalog: string, options: ListOptions, terminal: Terminal): Promise<ExitCode> {
  return inSession(options, terminal, async ({ api, json }) => {
    const name = await resolveCatalog(api, catalog);
    const page = await api.get(`${catalogAddress(name)}/keeps?limit=${options.limit}`, KeepList);
    if (json) terminal.json(page);
    else if (page.keeps.length === 0) terminal.say(`${catalogKey(name)} has no standing keep.`);
    else {
      const rows = page.keeps.map(({ state, at, keepUntil, actor, id, pattern }) => [
        state,
        moment(at),
        keepUntil === undefined ? 'for good' : moment(keepUntil),
        actor.name,
        id,
        pattern,
      ]);
      for (const line of table(['STATE', 'SINCE', 'UNTIL', 'BY', 'ID', 'PATTERN'], rows)) terminal.say(line);
    }
    return exitCodes.ok;
  });
}

/** `unkeep CATALOG ID`: takes a standing keep back. */
export function runUnkeep(catalog: string, id: string, options: ApiOptions, terminal: Terminal): Promise<ExitCode> {
  return inSession(options, terminal, async ({ api, json }) => {
    const name = await resolveCatalog(api, catalog);
    const ended = await api.delete(`${catalogAddress(name)}/keeps/${encodeURIComponent(id)}`, KeepEnded);
    if (json) terminal.json(ended);
    else terminal.say(`${ended.keep.pattern} is no longer kept; ${ended.released} findings were kept by it.`);
    if (!ended.woken) terminal.tell('Written down. Temporal does not answer; removals notice when it is back.');
    return exitCodes.ok;
  });
}

function lasting({ keepUntil }: KeepView): string {
  return keepUntil === undefined ? 'for good' : `until ${moment(keepUntil)}`;
}
