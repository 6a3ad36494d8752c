import { randomUUID } from 'node:crypto';
import { catalogAddress, catalogKey } from '../../api/addresses.ts';
import { DecideAnswered, SelectionView } from '../../api/schemas/decision.ts';
import type { DecisionAction } from '../../domain/decision.ts';
import { type ExitCode, UsageError, exitCodes } from '../exit-codes.ts';
import { marked } from '../terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { resolveCatalog } from './catalog-argument.ts';
import type { DecideOptions } from './decide.ts';
import { inSession } from './session.ts';

/** The API sends ten parts in two waves and waits up to 20 s for each. */
const answerWithinMs = 120_000;

export interface DecideAllOptions extends DecideOptions {
  readonly all?: boolean;
  readonly kind?: string;
  readonly verdict?: string;
  /** A path text. */
  readonly under?: string;
  readonly yes?: boolean;
}

/**
 * `approve|reject|keep|accept|repoint CATALOG --all`: says how many findings it is about, asks, and decides on exactly
 * those; if one came, went or changed meanwhile, nothing is decided.
 */
export function runDecideAll(
  action: DecisionAction,
  catalog: string,
  paths: readonly string[],
  options: DecideAllOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  return inSession(options, terminal, async ({ api, json, suggest }) => {
    if (paths.length > 0) throw new UsageError('Give the paths to decide on, or --all.');
    const { kind, verdict, under, reason, until } = options;
    const name = await resolveCatalog(api, catalog);
    const filter = {
      ...(kind === undefined ? {} : { kind }),
      ...(verdict === undefined ? {} : { verdict }),
      ...(under === undefined ? {} : { under }),
    };
    const query = new URLSearchParams({ action, ...filter });
    const { count, digest } = await api.get(
      `${catalogAddress(name)}/stale/selection?${query.toString()}`,
      SelectionView,
    );
    if (count === 0) {
      if (json) terminal.json({ catalog: catalogKey(name), action, answers: [] });
      else terminal.say('There is nothing to decide.');
      return exitCodes.ok;
    }
    const question = `${action} ${count} ${count === 1 ? 'finding' : 'findings'} in ${catalogKey(name)}?`;
    if (!(await agreed(question, options, terminal))) {
      terminal.tell('Nothing was decided.');
      return exitCodes.refused;
    }
    const { body } = await api.post(`${catalogAddress(name)}/decisions`, DecideAnswered, {
      body: {
        filter,
        action,
        count,
        digest,
        ...(until === undefined ? {} : { keepUntil: until }),
        ...(reason === undefined ? {} : { reason }),
      },
      headers: { 'idempotency-key': randomUUID() },
      timeoutMs: answerWithinMs,
    });
    if (json) terminal.json({ catalog: catalogKey(name), action, ...body });
    else for (const line of summaryLines(body.answers)) terminal.say(line);
    terminal.tell(`What became of it: ${suggest('removals', catalogKey(name))}`);
    return body.answers.some(({ answer }) => answer === 'refused') ? exitCodes.refused : exitCodes.ok;
  });
}

async function agreed(question: string, { yes }: DecideAllOptions, terminal: Terminal): Promise<boolean> {
  if (yes === true) return true;
  if (terminal.confirm === undefined) throw new UsageError(`${question} Nobody can be asked here: add --yes.`);
  return terminal.confirm(question);
}

/** How many were accepted, sent, and refused for which reason; the findings themselves are in `stale`. */
function summaryLines(answers: DecideAnswered['answers']): readonly string[] {
  const counts = new Map<string, { count: number; readonly hint?: string }>();
  for (const answer of answers) {
    const word = answer.answer === 'refused' ? `refused (${answer.reason})` : answer.answer;
    const known = counts.get(word) ?? { count: 0, ...(answer.answer === 'refused' ? { hint: answer.hint } : {}) };
    counts.set(word, { ...known, count: known.count + 1 });
  }
  return [...counts].flatMap(([word, { count, hint }]) => [
    `${count} ${word}`,
    ...(hint === undefined ? [] : marked('  for example:', hint)),
  ]);
}
