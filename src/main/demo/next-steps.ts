import { catalogAddress, catalogKey } from '../../api/addresses.ts';
import { reviewWorkflowId } from '../../contract/names.ts';
import { cliDefaults } from '../../config/cli-defaults.ts';
import { ownName, shellWords } from '../terminal/shell-words.ts';
import { demoMetalake } from './plans.ts';
import type { ToldCatalog } from './tell-findings.ts';

/** Where the pieces of this start listen. */
export interface DemoAddresses {
  readonly api: string;
  readonly temporalUi?: string;
  readonly temporalNamespace: string;
  /** The demo's sources, where a person can make drift by hand. */
  readonly source?: string;
  readonly settingsFile: string;
}

/** What to type next, ready to be copied; only what works now. */
export function nextSteps(told: readonly ToldCatalog[], addresses: DemoAddresses): string[] {
  const { api, temporalUi, temporalNamespace, source, settingsFile } = addresses;
  const command = (...words: string[]) =>
    `${ownName} ${shellWords(api === cliDefaults().api ? words : [...words, '--api', api])}`;
  const first = told.find(({ approvable }) => approvable.length > 0);
  const name = { metalake: demoMetalake, catalog: first?.catalog ?? 'shop' };
  const key = catalogKey(name);
  // A table of its own is the simplest case; a schema takes what is inside along.
  const finding = first?.approvable.find(({ kind }) => kind === 'table') ?? first?.approvable[0];
  const steps: [string, string][] = [];
  if (finding !== undefined) steps.push(['Approve one removal:', command('approve', key, finding.path)]);
  steps.push(['See what was removed:', command('removals', key)]);
  steps.push(['See what is left:', command('stale', key)]);
  if (temporalUi !== undefined) {
    const run = `${temporalUi}/namespaces/${temporalNamespace}/workflows/${encodeURIComponent(reviewWorkflowId(name))}`;
    steps.push(['Its review in the Temporal UI:', run]);
  }
  steps.push(['The same from the API:', `${api}${catalogAddress(name)}/stale`]);
  if (source !== undefined) {
    steps.push(['Change something yourself:', `psql ${source}`]);
    steps.push(['Then look again:', command('reconcile', key)]);
  }
  steps.push(["The demo's own settings:", settingsFile]);
  return ['What you can do now, in another terminal:', ...steps.flatMap(([what, how]) => [`  ${what}`, `    ${how}`])];
}
