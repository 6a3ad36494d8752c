import type { z } from 'zod';
import { catalogAddress, catalogKey } from '../../api/addresses.ts';
import { PolicyView } from '../../api/schemas/policy.ts';
import { exactLength } from '../../api/words/durations.ts';
import type { CatalogName } from '../../contract/names.ts';
import type { ApiClient } from '../api-client.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { marked, table } from '../terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { resolveCatalog } from './catalog-argument.ts';
import { everyCatalog } from './every-catalog.ts';
import { type ApiOptions, inSession } from './session.ts';

type Policy = z.infer<typeof PolicyView>;

/** `policies [CATALOG]`: the policy in force, a line a catalog, or all of one. */
export function runPolicies(catalog: string | undefined, options: ApiOptions, terminal: Terminal): Promise<ExitCode> {
  return inSession(options, terminal, async ({ api, json, suggest }) => {
    const names = catalog === undefined ? await judgedCatalogs(api) : [await resolveCatalog(api, catalog)];
    const found: { readonly catalog: string; readonly policy: Policy }[] = [];
    for (const name of names) {
      found.push({ catalog: catalogKey(name), policy: await api.get(`${catalogAddress(name)}/policy`, PolicyView) });
    }
    if (json) {
      terminal.json(catalog === undefined ? { policies: found } : found[0]);
      return exitCodes.ok;
    }
    if (catalog !== undefined) {
      for (const { catalog: key, policy } of found) for (const line of policyLines(key, policy)) terminal.say(line);
      return exitCodes.ok;
    }
    const rows = found.map(({ catalog: key, policy: { version, policy } }) => [
      String(version),
      policy.mode,
      String(policy.misses),
      exactLength(policy.graceMs),
      `${policy.removalsPerRound}/round`,
      policy.fourEyes ? 'yes' : 'no',
      key,
    ]);
    for (const line of table(['VERSION', 'MODE', 'MISSES', 'GRACE', 'AT MOST', 'FOUR EYES', 'CATALOG'], rows)) {
      terminal.say(line);
    }
    if (found.length > 0) terminal.tell(`All of one: ${suggest('policies', found[0]?.catalog ?? '')}`);
    return exitCodes.ok;
  });
}

/** What the ledger alone remembers has no policy that anything goes by. */
async function judgedCatalogs(api: ApiClient): Promise<readonly CatalogName[]> {
  return (await everyCatalog(api)).catalogs.filter(({ registered }) => registered !== 'no');
}

/** Every setting under the name that it has in the API, lengths of time in words. */
function policyLines(catalog: string, { version, intervalMs, policy }: Policy): string[] {
  const { guard, ...rest } = policy;
  const settings = { intervalMs, ...rest, ...prefixed('guard', guard) };
  return [
    `${catalog}: ${version === 0 ? 'the default, as none was applied' : `version ${version}`}`,
    ...Object.entries(settings).flatMap(([name, value]) => marked(`  ${name.replace(/Ms$/, '')}:`, shown(name, value))),
  ];
}

function prefixed(prefix: string, values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}.${name}`, value]));
}

function shown(name: string, value: unknown): string {
  if (name.endsWith('Ms') && typeof value === 'number') return exactLength(value);
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  if (typeof value === 'object') return JSON.stringify(value) === '{}' ? 'as mode' : JSON.stringify(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
