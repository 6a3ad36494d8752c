import type { z } from 'zod';
import { catalogAddress } from '../../api/addresses.ts';
import { FindingDetail, type FindingView, StalePage } from '../../api/schemas/finding.ts';
import type { ApiClient } from '../api-client.ts';
import { standingLines } from '../commands/catalog-lines.ts';
import { folded, pageWidth, table } from '../terminal/table.ts';
import { demoMetalake } from './plans.ts';
import type { DemoCatalog } from './start-demo-sources.ts';

/** The API's largest page; the demo registers forty objects. */
const mostFindings = 500;

/** What a catalog's page tells, and what of it a person could approve at once. */
export interface ToldCatalog {
  readonly catalog: DemoCatalog;
  readonly lines: readonly string[];
  readonly approvable: readonly FindingView[];
}

type Attachments = z.infer<typeof FindingDetail>['attachments'];

/** Where a catalog stands, what is open in it and why: each finding with its reason below, as wide as a terminal. */
export async function tellFindings(api: ApiClient, catalog: DemoCatalog): Promise<ToldCatalog> {
  const address = `${catalogAddress({ metalake: demoMetalake, catalog })}/stale`;
  const page = await api.get(`${address}?limit=${mostFindings}`, StalePage);
  const shown = page.findings.filter(({ carrier }) => carrier === undefined);
  const details = await Promise.all(shown.map(({ id }) => api.get(`${address}/${id}`, FindingDetail)));
  const rows = details.map(({ finding, attachments }) => [
    `  ${finding.path}`,
    finding.kind,
    finding.verdict,
    attachedWords(attachments),
  ]);
  const [head = '', ...aligned] = table(['  PATH', 'KIND', 'VERDICT', 'OWNER, TAGS'], rows);
  const lines = details.flatMap(({ finding }, index) => [aligned[index] ?? '', ...reasonLines(finding)]);
  const isApprovable = ({ approval, ripe, decision }: FindingView) =>
    approval.possible && ripe && decision === undefined;
  return {
    catalog,
    approvable: shown.filter(isApprovable),
    lines: [...standingLines(page.catalog), ...countLines(page), ...(lines.length === 0 ? [] : ['', head, ...lines])],
  };
}

function countLines({ catalog, findings }: StalePage): string[] {
  if (findings.length === 0) return catalog.state === 'ok' ? ['  Nothing is stale.'] : [];
  const counts = new Map<string, number>();
  for (const { verdict } of findings) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  return [`  ${[...counts].map(([verdict, count]) => `${count} ${verdict}`).join(', ')}`];
}

function attachedWords(attachments: Attachments): string {
  if (attachments === 'unseen') return '?';
  const { owner, tags } = attachments;
  return [...(owner === undefined ? [] : [owner]), ...tags.map((tag) => `#${tag}`)].join(' ') || '-';
}

function reasonLines(finding: FindingView): string[] {
  const indent = '      ';
  return folded(reasonOf(finding), pageWidth - indent.length).map((line) => `${indent}${line}`);
}

/** What was seen, then what it waits for; the API's own words wherever it has them. */
function reasonOf({ verdict, misses, inside, waits, decision }: FindingView): string {
  const rounds = misses === 1 ? 'missing in 1 round' : `missing in ${misses} rounds`;
  const seen = verdict === 'absent' ? [inside === 0 ? rounds : `${rounds} with the ${inside} inside`] : [];
  const decided = decision === undefined ? [] : [`${decision.actor.name} decided: ${decision.action}`];
  const waiting = waits.filter(({ waived }) => !waived).map(({ text }) => text);
  return [...seen, ...decided, ...waiting].join('; ');
}
