import type { z } from 'zod';
import { catalogAddress } from '../../api/addresses.ts';
import { Controlled, Overridden } from '../../api/schemas/control.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { moment } from '../terminal/times.ts';
import { resolveCatalog } from './catalog-argument.ts';
import { standingLines } from './catalog-lines.ts';
import { type ApiOptions, inSession } from './session.ts';

export interface ReasonOptions extends ApiOptions {
  readonly reason: string;
}

export interface OverrideOptions extends ReasonOptions {
  /** At most so many registrations. */
  readonly max: number;
  /** Seconds until it expires. */
  readonly for: number;
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

/** `override CATALOG`: lets what the guard holds now go, up to a count, until it expires. */
export function runOverride(catalog: string, options: OverrideOptions, terminal: Terminal): Promise<ExitCode> {
  const { max, for: expiresInSecs, reason } = options;
  return inSession(options, terminal, async ({ api, json }) => {
    const name = await resolveCatalog(api, catalog);
    const body = { maxCount: max, expiresInSecs, reason };
    const answer = (await api.post(`${catalogAddress(name)}/override`, Overridden, { body })).body;
    const { admits, maxCount, expiresAt } = answer.override;
    if (!json) {
      terminal.say(`Admitted ${admits} findings, up to ${maxCount} registrations, until ${moment(expiresAt)}.`);
    }
    return show(answer, json, terminal);
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
