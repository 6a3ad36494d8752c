import type { z } from 'zod';
import { type CatalogGlance, Overview } from '../../api/schemas/catalog.ts';
import type { ApiClient } from '../api-client.ts';

/** The whole overview, page after page. */
export async function everyCatalog(api: ApiClient): Promise<Omit<z.infer<typeof Overview>, 'next'>> {
  const catalogs: CatalogGlance[] = [];
  for (let cursor: string | undefined; ; ) {
    const query = new URLSearchParams({ limit: '500', ...(cursor === undefined ? {} : { cursor }) });
    const page = await api.get(`/api/overview?${query.toString()}`, Overview);
    catalogs.push(...page.catalogs);
    if (page.next === undefined) return { catalogs, metalakes: page.metalakes };
    cursor = page.next;
  }
}
