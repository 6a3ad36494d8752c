import { z } from 'zod';
import { catalogKey } from '../../api/addresses.ts';
import { Overview } from '../../api/schemas/catalog.ts';
import type { CatalogName } from '../../contract/names.ts';
import { parsePathText, pathText } from '../../domain/path.ts';
import type { ApiClient } from '../api-client.ts';
import { CommandFailed, UsageError } from '../exit-codes.ts';

/** At most so many are listed when a name is not found: enough to see the slip, few enough to read. */
const listed = 20;

const Names = Overview.pick({ next: true }).extend({
  catalogs: z.array(Overview.shape.catalogs.element.pick({ metalake: true, catalog: true })),
});

/**
 * The catalog that CATALOG names: `metalake/name` as a path text, or the bare name where only one catalog bears it.
 * Throws {@link UsageError} with the candidates where several do.
 */
export async function resolveCatalog(api: ApiClient, text: string): Promise<CatalogName> {
  const [first, second, ...rest] = parsedCatalog(text);
  if (rest.length > 0) throw new UsageError(`${text} has too many parts: CATALOG is metalake/name, or the bare name.`);
  if (second !== undefined) return { metalake: first, catalog: second };
  const [only, ...others] = await named(api, first);
  if (only === undefined) throw await noneNamed(api, text);
  if (others.length === 0) return only;
  const candidates = [only, ...others].map((name) => `  ${catalogKey(name)}`).join('\n');
  throw new UsageError(`Several catalogs are called ${text}. Write which one:\n${candidates}`);
}

function parsedCatalog(text: string): readonly [string, ...string[]] {
  const path = parsePathText(text);
  if (path !== undefined && path.every((segment) => segment !== '')) return path;
  const suggestion = pathText(text.split('/'));
  throw new UsageError(
    path === undefined
      ? `${text} is not a name as we write it: within a name % is %25 and / is %2F. Did you mean ${suggestion}?`
      : `${text === '' ? 'An empty text' : text} names no catalog: write metalake/name, or the bare name.`,
  );
}

async function named(api: ApiClient, name: string): Promise<readonly CatalogName[]> {
  const found: CatalogName[] = [];
  for (let cursor: string | undefined; ; ) {
    const query = new URLSearchParams({ name, ...(cursor === undefined ? {} : { cursor }) });
    const page = await api.get(`/api/overview?${query.toString()}`, Names);
    found.push(...page.catalogs.map(({ metalake, catalog }) => ({ metalake, catalog })));
    if (page.next === undefined) return found;
    cursor = page.next;
  }
}

async function noneNamed(api: ApiClient, text: string): Promise<CommandFailed> {
  const { catalogs, next } = await api.get(`/api/overview?limit=${listed}`, Names);
  if (catalogs.length === 0) return new CommandFailed(`No catalog is called ${text}; there is none at all yet.`);
  const known = catalogs.map((name) => `  ${catalogKey(name)}`);
  if (next !== undefined) known.push('  …');
  return new CommandFailed(`No catalog is called ${text}. There are:\n${known.join('\n')}`);
}
