import type { z } from 'zod';
import { catalogAddress, catalogKey } from '../../api/addresses.ts';
import { Controlled, Overridden, OverrideApproved, OverrideList } from '../../api/schemas/control.ts';
import type { ApiClient } from '../api-client.ts';
import { type ExitCode, UsageError, exitCodes } from '../exit-codes.ts';
import { table } from '../terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { moment } from '../terminal/times.ts';
import { resolveCatalog } from './catalog-argument.ts';
import { standingLines } from './catalog-lines.ts';
import type { ListOptions } from './removals.ts';
import { type ApiOptions, inSession } from './session.ts';

export interface ReasonOptions extends ApiOptions {
  readonly reason: string;
}

export interface OverrideOptions extends ApiOptions {
  /** At most so many registrations. */
  readonly max?: number;
  /** Seconds until it expires. */
  readonly for?: number;
  readonly reason?: string;
  /** The id of one that somebody else requested, instead of all others. */
  readonly approve?: string;
}

/** `pause CATALOG`: nothing of it is removed until `resume`; rounds go on. */
export function runPause(catalog: string, options: ReasonOptions, terminal: Terminal): Promise<ExitCode> {
  return control(catalog, 'pause', { reason: options.reason }, options, terminal);
}

/** `resume CATALOG`: ends a pause, and a stop of the removal loop. */
export function runResume(catalog: string, options: ApiOptions, terminal: Terminal): Promise<ExitCode> {
  return control(catalog, 'resume', {}, options, terminal);
}

/** `accept-source CATALOG`: what answers behind its address now is its source from here on. */
export function runAcceptSource(catalog: string, options: ReasonOptions, terminal: Terminal): Promise<ExitCode> {
  return control(catalog, 'accept-source', { reason: options.reason }, options, terminal);
}

/** `override CATALOG`: lets what the guard holds now go, up to a count, until it expires; or approves such a wish. */
export function runOverride(catalog: string, options: OverrideOptions, terminal: Terminal): Promise<ExitCode> {
  const { max, for: expiresInSecs, reason, approve } = options;
  return inSession(options, terminal, async ({ api, json, suggest }) => {
    if (approve !== undefined) return approveOverride(api, catalog, approve, json, terminal);
    if (max === undefined || expiresInSecs === undefined || reason === undefined) {
      throw new UsageError('An override takes --max, --for and --reason; or --approve with the id of a requested one.');
    }
    const name = await resolveCatalog(api, catalog);
    const body = { maxCount: max, expiresInSecs, reason };
    const answer = (await api.post(`${catalogAddress(name)}/override`, Overridden, { body })).body;
    const { id, admits, maxCount, expiresAt, state } = answer.override;
    if (!json) {
      const done = state === 'requested' ? 'Asked to admit' : 'Admitted';
      terminal.say(`${done} ${admits} findings, up to ${maxCount} registrations, until ${moment(expiresAt)}.`);
    }
    if (state === 'requested') {
      terminal.tell(`Somebody else must approve it: ${suggest('override', catalogKey(name), '--approve', id)}`);
    }
    return show(answer, json, terminal);
  });
}

async function approveOverride(
  api: ApiClient,
  catalog: string,
  id: string,
  json: boolean,
  terminal: Terminal,
): Promise<ExitCode> {
  const name = await resolveCatalog(api, catalog);
  const address = `${catalogAddress(name)}/override/${encodeURIComponent(id)}/approve`;
  const answer = (await api.post(address, OverrideApproved, { body: {} })).body;
  const { actor, admits, expiresAt } = answer.override;
  if (!json) terminal.say(`Admitted ${admits} findings, as ${actor.name} asked, until ${moment(expiresAt)}.`);
  return show(answer, json, terminal);
}

/** `overrides CATALOG`: its overrides with their states, newest first. */
export function runOverrides(catalog: string, options: ListOptions, terminal: Terminal): Promise<ExitCode> {
  return inSession(options, terminal, async ({ api, json }) => {
    const name = await resolveCatalog(api, catalog);
    const page = await api.get(`${catalogAddress(name)}/overrides?limit=${options.limit}`, OverrideList);
    if (json) terminal.json(page);
    else if (page.overrides.length === 0) terminal.say(`${catalogKey(name)} had no override yet.`);
    else {
      const rows = page.overrides.map(({ state, at, expiresAt, used, maxCount, actor, approved, id }) => [
        state,
        moment(at),
        moment(expiresAt),
        `${used} of ${maxCount}`,
        approved === undefined ? actor.name : `${actor.name}, ${approved.by.name}`,
        id,
      ]);
      for (const line of table(['STATE', 'SINCE', 'UNTIL', 'USED', 'BY', 'ID'], rows)) terminal.say(line);
    }
    return exitCodes.ok;
  });
}

function control(
  catalog: string,
  what: 'pause' | 'resume' | 'accept-source',
  body: Readonly<Record<string, unknown>>,
  options: ApiOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  return inSession(options, terminal, async ({ api, json }) => {
    const name = await resolveCatalog(api, catalog);
    return show((await api.post(`${catalogAddress(name)}/${what}`, Controlled, { body })).body, json, terminal);
  });
}

function show(answer: z.infer<typeof Controlled>, json: boolean, terminal: Terminal): ExitCode {
  if (json) terminal.json(answer);
  else for (const line of standingLines(answer.catalog)) terminal.say(line);
  if (!answer.woken) terminal.tell('Written down. Temporal does not answer; removals notice when it is back.');
  return exitCodes.ok;
}
