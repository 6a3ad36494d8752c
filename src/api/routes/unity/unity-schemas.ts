import type { UnityDesk } from '../../../registries/embedded/lake/unity-desk.ts';
import { ChangeBody, CreateSchemaBody } from './unity-bodies.ts';
import { change, container, done } from './unity-changes.ts';
import { creating } from './unity-failure.ts';
import { bodyOf, forced, nextToken, pageOf, required, schemaNamed } from './unity-request.ts';
import type { AddUnityRoute } from './unity-routes.ts';
import { nameIn, schemaInfo } from './unity-views.ts';

/** The schemas at the top of a catalog. */
export function unitySchemaRoutes(add: AddUnityRoute, desk: UnityDesk): void {
  add('GET', '/schemas', 'read', async (request) => {
    const catalog = required(request, 'catalog_name');
    const page = pageOf(request);
    const rows = await desk.schemas(catalog, page);
    const names = rows.map(({ pathKey }) => nameIn(pathKey));
    return { schemas: rows.map((row) => schemaInfo(catalog, row)), next_page_token: nextToken(names, page.limit) };
  });
  add('POST', '/schemas', 'operate', async (request) => {
    const body = bodyOf(request, CreateSchemaBody);
    const { catalog_name: catalog } = body;
    return creating('SCHEMA', body.name, async () =>
      schemaInfo(catalog, await desk.createSchema(catalog, container(body), request.actor.name)),
    );
  });
  add('GET', '/schemas/:full_name', 'read', async (request) => {
    const ref = schemaNamed(request);
    return schemaInfo(ref.catalog, await desk.schema(ref));
  });
  add('PATCH', '/schemas/:full_name', 'operate', async (request) => {
    const ref = schemaNamed(request);
    const wanted = change(bodyOf(request, ChangeBody));
    return creating('SCHEMA', wanted.newName ?? ref.schema, async () =>
      schemaInfo(ref.catalog, await desk.alterSchema(ref, wanted, request.actor.name)),
    );
  });
  add('DELETE', '/schemas/:full_name', 'operate', (request) =>
    done(() => desk.deleteSchema(schemaNamed(request), forced(request), request.actor.name)),
  );
}
