import {
  CreateRelation,
  EntityView,
  RegisteredPage,
  listRelationsQuery,
  schemaParams,
} from '../../schemas/registry-entity.ts';
import type { ApiServer } from '../../server.ts';
import { type RegistryRoutesDeps, askedPage, deskOf, tagOf } from './desk.ts';
import { addressOf, catalogUrl } from './entity-address.ts';
import { entityView, registeredView } from './entity-view.ts';

const tags = ['registry'];
const params = schemaParams;

/** Tables or views of one schema. */
export function relationRoutes(app: ApiServer, deps: RegistryRoutesDeps, kind: 'table' | 'view'): void {
  const url = `${catalogUrl}/schemas/:schema/${kind}s`;

  /** What lies directly in the schema, in path order. */
  app.get(
    url,
    {
      config: { action: 'read' },
      schema: { tags, params, querystring: listRelationsQuery, response: { 200: RegisteredPage } },
    },
    async (request) => {
      const { metalake, catalog, schema } = request.params;
      const desk = await deskOf(deps, metalake);
      const { items, next } = await desk.entities(catalog, { kind, in: schema }, askedPage(request.query));
      return { entities: items.map(registeredView), ...(next === undefined ? {} : { next }) };
    },
  );

  /** Registers a table or view; nothing is created at the source. Both share one name space. */
  app.post(
    url,
    { config: { action: 'operate' }, schema: { tags, params, body: CreateRelation, response: { 201: EntityView } } },
    async (request, reply) => {
      const { metalake, catalog, schema } = request.params;
      const desk = await deskOf(deps, metalake);
      const { name, secrets, storageLocation, ...attachments } = request.body;
      const entity = await desk.create({
        catalog,
        actor: request.actor.name,
        kind,
        path: [...schema, name],
        attachments,
        ...(storageLocation === undefined ? {} : { storageLocation }),
        ...(secrets === undefined ? {} : { secrets }),
      });
      reply.header('location', app.prefix + addressOf(request.params, kind, entity.path));
      return reply.code(201).header('etag', tagOf(entity.version)).send(entityView(entity));
    },
  );
}
