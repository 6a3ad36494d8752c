import {
  CreateSchema,
  EntityView,
  RegisteredPage,
  listSchemasQuery,
  registryCatalogParams,
} from '../../schemas/registry-entity.ts';
import type { ApiServer } from '../../server.ts';
import { type RegistryRoutesDeps, askedPage, deskOf, tagOf } from './desk.ts';
import { addressOf, catalogUrl } from './entity-address.ts';
import { entityView, registeredView } from './entity-view.ts';

const tags = ['registry'];
const url = `${catalogUrl}/schemas`;
const params = registryCatalogParams;

/** Schemas of one catalog, nested ones included. */
export function schemaRoutes(app: ApiServer, deps: RegistryRoutesDeps): void {
  /** Outermost schemas, or those directly in `parent`, in path order. */
  app.get(
    url,
    {
      config: { action: 'read' },
      schema: { tags, params, querystring: listSchemasQuery, response: { 200: RegisteredPage } },
    },
    async (request) => {
      const desk = await deskOf(deps, request.params.metalake);
      const listed = { kind: 'schema', in: request.query.parent } as const;
      const { items, next } = await desk.entities(request.params.catalog, listed, askedPage(request.query));
      return { entities: items.map(registeredView), ...(next === undefined ? {} : { next }) };
    },
  );

  /** Registers a schema; the one around it must be registered. Nothing is created at the source. */
  app.post(
    url,
    { config: { action: 'operate' }, schema: { tags, params, body: CreateSchema, response: { 201: EntityView } } },
    async (request, reply) => {
      const { metalake, catalog } = request.params;
      const desk = await deskOf(deps, metalake);
      const { path, secrets, ...attachments } = request.body;
      const entity = await desk.create({
        catalog,
        actor: request.actor.name,
        kind: 'schema',
        path,
        attachments,
        ...(secrets === undefined ? {} : { secrets }),
      });
      reply.header('location', app.prefix + addressOf(request.params, 'schema', entity.path));
      return reply.code(201).header('etag', tagOf(entity.version)).send(entityView(entity));
    },
  );
}
