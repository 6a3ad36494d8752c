import { randomUUID } from 'node:crypto';
import { catalogAddress, catalogKey } from '../../api/addresses.ts';
import { DecideAnswered, DecideSent } from '../../api/schemas/decision.ts';
import type { FindingView } from '../../api/schemas/finding.ts';
import type { CatalogName } from '../../contract/names.ts';
import { maxDecisionItems } from '../../contract/review-messages.ts';
import type { DecisionAction } from '../../domain/decision.ts';
import type { ApiClient } from '../api-client.ts';
import { impossible } from '../../domain/impossible.ts';
import { type ExitCode, UsageError, exitCodes } from '../exit-codes.ts';
import { marked, table } from '../terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { barLines } from './catalog-lines.ts';
import { resolveCatalog } from './catalog-argument.ts';
import { findingsAt } from './decidable.ts';
import { type ApiOptions, inSession } from './session.ts';

export interface DecideOptions extends ApiOptions {
  readonly reason?: string;
  /** For `keep`: Unix milliseconds. */
  readonly until?: number;
}

type OnlyWithAll = { readonly [filter in 'kind' | 'verdict' | 'under']?: string };

/**
 * `approve|reject|keep|accept|repoint CATALOG PATH...`: looks the findings up, shows what the decision is bound to, sends
 * it, and prints what became of each. Refused where a single one is.
 */
export function runDecide(
  action: DecisionAction,
  catalog: string,
  paths: readonly string[],
  options: DecideOptions & OnlyWithAll,
  terminal: Terminal,
): Promise<ExitCode> {
  return inSession(options, terminal, async ({ api, json, suggest }) => {
    if (paths.length === 0) throw new UsageError('Give the paths to decide on, or --all.');
    const { kind, verdict, under } = options;
    if ([kind, verdict, under].some((given) => given !== undefined)) {
      throw new UsageError('--kind, --verdict and --under go with --all only.');
    }
    const name = await resolveCatalog(api, catalog);
    const { catalog: standing, found, missing } = await findingsAt(api, name, paths);
    if (!json) {
      for (const line of bindingLines(action, name, found)) terminal.say(line);
      for (const path of missing) terminal.tell(`refused   ${path}: no open finding has this path`);
    }
    const outcomes = await sendAll(api, name, action, found, options);
    if (json) terminal.json({ catalog: catalogKey(name), action, missing, outcomes });
    else {
      for (const outcome of outcomes) for (const line of outcomeLines(action, outcome)) terminal.say(line);
      const bars = barLines(standing);
      if (action === 'approve' && bars.length > 0) terminal.tell('Nothing is removed for the time being:');
      if (action === 'approve') for (const line of bars) terminal.tell(line);
      if (outcomes.length > 0) terminal.tell(`What became of it: ${suggest('removals', catalogKey(name))}`);
    }
    const refused = missing.length > 0 || outcomes.some(({ answer }) => answer === 'refused');
    return refused ? exitCodes.refused : exitCodes.ok;
  });
}

/** What became of one finding; `sent` where the answer did not come in time and it may still be carried out. */
type Outcome =
  | { readonly path: string; readonly answer: 'accepted'; readonly decisionId: string; readonly repeated: boolean }
  | { readonly path: string; readonly answer: 'refused'; readonly reason: string; readonly hint: string }
  | { readonly path: string; readonly answer: 'sent'; readonly updateId: string };

async function sendAll(
  api: ApiClient,
  name: CatalogName,
  action: DecisionAction,
  found: readonly FindingView[],
  options: DecideOptions,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let from = 0; from < found.length; from += maxDecisionItems) {
    outcomes.push(...(await send(api, name, action, found.slice(from, from + maxDecisionItems), options)));
  }
  return outcomes;
}

async function send(
  api: ApiClient,
  name: CatalogName,
  action: DecisionAction,
  found: readonly FindingView[],
  { reason, until }: DecideOptions,
): Promise<readonly Outcome[]> {
  const items = found.map(({ id, digest }) => ({
    findingId: id,
    digest,
    action,
    ...(until === undefined ? {} : { keepUntil: until }),
  }));
  const { body } = await api.post(`${catalogAddress(name)}/decisions`, DecideAnswered.or(DecideSent), {
    body: { items, ...(reason === undefined ? {} : { reason }) },
    headers: { 'idempotency-key': randomUUID() },
  });
  if (!('answers' in body)) return found.map(({ path }) => ({ path, answer: 'sent', updateId: body.updateId }));
  const pathOf = new Map(found.map(({ id, path }) => [id, path]));
  return body.answers.map(({ findingId, ...rest }) => {
    const path = pathOf.get(findingId) ?? findingId;
    return rest.answer === 'sent' ? { path, ...rest, updateId: body.requestKey } : { path, ...rest };
  });
}

function bindingLines(action: DecisionAction, name: CatalogName, found: readonly FindingView[]): string[] {
  if (found.length === 0) return [];
  return [
    `To ${action} in ${catalogKey(name)}, bound to this evidence:`,
    ...bound(action, found).map((line) => `  ${line}`),
    '',
  ];
}

function bound(action: DecisionAction, found: readonly FindingView[]): readonly string[] {
  if (action === 'repoint') {
    const rows = found.map(({ kind, digest, path, movedTo }) => [kind, shortened(digest), path, movedTo ?? '-']);
    return table(['KIND', 'EVIDENCE', 'PATH', 'NEW PATH'], rows);
  }
  const rows = found.map(({ kind, digest, impact, path }) => [kind, shortened(digest), lossOf(impact), path]);
  return table(['KIND', 'EVIDENCE', 'LOSES', 'PATH'], rows);
}

function shortened(digest: string): string {
  return digest.slice(0, 12);
}

/** What goes with it, in few words: `3 entries, owner, 2 tags`. */
function lossOf({ registrations, attachments }: FindingView['impact']): string {
  const counted = (count: number, one: string, many: string) =>
    count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  const parts = registrations > 1 ? [`${registrations} entries`] : [];
  if (attachments === 'unseen') parts.push('attachments unseen');
  else {
    if (attachments.owner !== undefined) parts.push('owner');
    parts.push(
      ...counted(attachments.tags, 'tag', 'tags'),
      ...counted(attachments.policies, 'policy', 'policies'),
      ...counted(attachments.grants, 'grant', 'grants'),
      ...counted(attachments.secrets?.length ?? 0, 'secret for good', 'secrets for good'),
    );
  }
  return parts.length === 0 ? '-' : parts.join(', ');
}

function outcomeLines(action: DecisionAction, outcome: Outcome): string[] {
  const done = {
    approve: 'approved',
    reject: 'rejected',
    keep: 'kept',
    accept: 'accepted',
    repoint: 'to be re-pointed',
  } as const;
  switch (outcome.answer) {
    case 'accepted':
      return [`${done[action].padEnd(9)} ${outcome.path}${outcome.repeated ? ' (as before)' : ''}`];
    case 'refused':
      return [`refused   ${outcome.path}: ${outcome.reason}`, ...marked('         ', outcome.hint)];
    case 'sent':
      return [`sent      ${outcome.path}: not answered yet; it may still be carried out`];
    default:
      return impossible(outcome);
  }
}
