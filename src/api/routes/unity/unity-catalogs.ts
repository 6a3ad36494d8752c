import type { UnityDesk } from '../../../registries/embedded/lake/unity-desk.ts';
import { nameOf } from '../delta/delta-address.ts';
import { ChangeBody, CreateCatalogBody } from './unity-bodies.ts';
import { change, container, done } from './unity-changes.ts';
import { creating } from './unity-failure.ts';
import { bodyOf, forced, nextToken, pageOf } from './unity-request.ts';
import type { AddUnityRoute } from './unity-routes.ts';
import { catalogInfo } from './unity-views.ts';

/** Every catalog of the metalake that is served, whatever its source is. */
export function unityCatalogRoutes(add: AddUnityRoute, desk: UnityDesk): void {
  add('GET', '/catalogs', 'read', async (request) => {
    const page = pageOf(request);
    const rows = await desk.catalogs(page);
    const names = rows.map(({ name }) => name);
    return { catalogs: rows.map(catalogInfo), next_page_token: nextToken(names, page.limit) };
  });
  add('POST', '/catalogs', 'operate', async (request) => {
    const body = bodyOf(request, CreateCatalogBody);
    return creating('CATALOG', body.name, async () =>
      catalogInfo(await desk.createCatalog(container(body), request.actor.name)),
    );
  });
  add('GET', '/catalogs/:name', 'read', async (request) => catalogInfo(await desk.catalog(nameOf(request, 'name'))));
  add('PATCH', '/catalogs/:name', 'operate', async (request) => {
    const wanted = change(bodyOf(request, ChangeBody));
    return catalogInfo(await desk.alterCatalog(nameOf(request, 'name'), wanted, request.actor.name));
  });
  add('DELETE', '/catalogs/:name', 'operate', (request) =>
    done(() => desk.deleteCatalog(nameOf(request, 'name'), forced(request), request.actor.name)),
  );
}
