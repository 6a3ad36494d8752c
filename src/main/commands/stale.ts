import { catalogAddress, catalogKey } from '../../api/addresses.ts';
import { type FindingView, StalePage } from '../../api/schemas/finding.ts';
import type { CatalogName } from '../../contract/names.ts';
import type { ApiClient } from '../api-client.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { marked, table } from '../terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { moment } from '../terminal/times.ts';
import { standingLines } from './catalog-lines.ts';
import { resolveCatalog } from './catalog-argument.ts';
import { type ApiOptions, inSession } from './session.ts';

export interface StaleOptions extends ApiOptions {
  readonly kind?: string;
  readonly verdict?: string;
  readonly state: string;
  /** At most so many findings are shown. */
  readonly limit: number;
}

/** `stale CATALOG`: what is stale, since when, and what each finding waits for. */
export function runStale(catalog: string, options: StaleOptions, terminal: Terminal): Promise<ExitCode> {
  return inSession(options, terminal, async ({ api, json, suggest }) => {
    const name = await resolveCatalog(api, catalog);
    const page = await findings(api, name, options);
    if (json) {
      terminal.json(page);
      return exitCodes.ok;
    }
    const tellRejected = () => {
      if (options.state !== 'open' || page.rejected === 0) return;
      const hint = suggest('stale', catalogKey(name), '--state', 'rejected');
      terminal.tell(`${page.rejected} rejected, until their evidence changes: ${hint}`);
    };
    for (const line of standingLines(page.catalog)) terminal.say(line);
    if (page.findings.length === 0) {
      terminal.say(page.catalog.state === 'never-scanned' ? 'Nothing is known yet.' : 'Nothing is stale.');
      tellRejected();
      terminal.tell(`Look again: ${suggest('reconcile', catalogKey(name))}`);
      return exitCodes.ok;
    }
    terminal.say();
    for (const line of table(heads, page.findings.map(row))) terminal.say(line);
    const legend = legendOf(page.findings);
    if (legend.length > 0) terminal.say();
    for (const line of legend) terminal.say(line);
    for (const { id, why } of page.broken) terminal.tell(`Finding ${id} is damaged on record and not shown: ${why}`);
    if (page.next !== undefined) terminal.tell(`There are more: raise --limit above ${options.limit}, or use --json.`);
    tellRejected();
    const approvable = page.findings.find(({ approval, decision }) => approval.possible && decision === undefined);
    if (approvable !== undefined) {
      terminal.tell();
      terminal.tell(`Approve one: ${suggest('approve', catalogKey(name), approvable.path)}`);
      terminal.tell(`Keep it:     ${suggest('keep', catalogKey(name), approvable.path)}`);
    }
    const movable = page.findings.find(({ repoint, decision }) => repoint?.possible === true && decision === undefined);
    if (movable !== undefined) terminal.tell(`Re-point:    ${suggest('repoint', catalogKey(name), movable.path)}`);
    return exitCodes.ok;
  });
}

/** The first `limit` open findings as one page, in order of path. */
async function findings(
  api: ApiClient,
  name: CatalogName,
  { kind, verdict, state, limit }: StaleOptions,
): Promise<StalePage> {
  let whole: StalePage | undefined;
  for (let cursor: string | undefined; ; ) {
    const left = limit - (whole?.findings.length ?? 0);
    const query = new URLSearchParams({
      // the API's own largest page
      limit: String(Math.min(left, 500)),
      state,
      ...(kind === undefined ? {} : { kind }),
      ...(verdict === undefined ? {} : { verdict }),
      ...(cursor === undefined ? {} : { cursor }),
    });
    const page = await api.get(`${catalogAddress(name)}/stale?${query.toString()}`, StalePage);
    whole = whole === undefined ? page : joined(whole, page);
    if (page.next === undefined || whole.findings.length >= limit) return whole;
    cursor = page.next;
  }
}

function joined(before: StalePage, page: StalePage): StalePage {
  const { next: _before, ...kept } = before;
  return {
    ...kept,
    findings: [...before.findings, ...page.findings],
    broken: [...before.broken, ...page.broken],
    ...(page.next === undefined ? {} : { next: page.next }),
  };
}

const heads = ['KIND', 'VERDICT', 'FIRST MISSED', 'STANDING', 'PATH'] as const;

function row(finding: FindingView): readonly string[] {
  const { kind, verdict, firstMissedAt, path, movedTo } = finding;
  const shown = movedTo === undefined ? path : `${path} -> ${movedTo}`;
  return [kind, verdict, moment(firstMissedAt), standingWord(finding), shown];
}

/** The first thing that a finding waits for. What stands between it and a decision may be the verdict itself. */
function waitingOf({ waits, verdict }: FindingView): { readonly word: string; readonly text: string } | undefined {
  const waiting = waits.find(({ waived }) => !waived);
  return waiting && { word: waiting.code === 'verdict' ? verdict : waiting.code, text: waiting.text };
}

/** What a reader wants to know first: the decision in force, else the first thing it waits for. */
function standingWord(finding: FindingView): string {
  const words = {
    approve: 'approved',
    reject: 'rejected',
    keep: 'kept',
    accept: 'accepted',
    repoint: 'to re-point',
  } as const;
  const waiting = waitingOf(finding);
  const { decision } = finding;
  if (decision !== undefined) {
    return decision.action === 'approve' && waiting !== undefined ? `ok, ${waiting.word}` : words[decision.action];
  }
  return finding.due ? 'due' : (waiting?.word ?? 'open');
}

/** As many explanations as fit below a page without becoming one. */
const longestLegend = 12;

/** Each explanation once: some name the container or the name that is meant. */
function legendOf(shown: readonly FindingView[]): string[] {
  const texts = new Map(
    shown.flatMap((finding) => {
      const waiting = waitingOf(finding);
      return waiting === undefined ? [] : [[`${waiting.word} ${waiting.text}`, waiting] as const];
    }),
  );
  return [...texts.values()].slice(0, longestLegend).flatMap(({ word, text }) => marked(`${word}:`, text));
}
