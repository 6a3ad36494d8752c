import type { CatalogName } from '../contract/names.ts';
import { pathText } from '../domain/path.ts';

/** The ledger's key of a catalog, which is also how people name it: `metalake/catalog` as a path text. */
export function catalogKey({ metalake, catalog }: CatalogName): string {
  return pathText([metalake, catalog]);
}

/** The address of a catalog; each name is encoded once, so that `50%off` and `a/b` come back as they are. */
export function catalogAddress({ metalake, catalog }: CatalogName): string {
  return `/api/metalakes/${encodeURIComponent(metalake)}/catalogs/${encodeURIComponent(catalog)}`;
}

export function restoreAddress(name: CatalogName, restoreId: string): string {
  return `${catalogAddress(name)}/restores/${encodeURIComponent(restoreId)}`;
}

export function roundAddress(name: CatalogName, roundId: string): string {
  return `${catalogAddress(name)}/rounds/${encodeURIComponent(roundId)}`;
}
