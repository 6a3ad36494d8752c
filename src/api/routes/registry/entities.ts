import {
  AlterEntity,
  Dropped,
  EntityView,
  RenameEntity,
  dropQuery,
  entityIdParams,
} from '../../schemas/registry-entity.ts';
import { ifMatch } from '../../schemas/registry-parts.ts';
import type { ApiServer } from '../../server.ts';
import { type RegistryRoutesDeps, deskOf, seenVersion, tagOf } from './desk.ts';
import { type EntityFamily, addressOf, catalogUrl, targetOf } from './entity-address.ts';
import { entityView } from './entity-view.ts';

const tags = ['registry'];

/** One schema, table or view by its path. */
export function entityRoutes(app: ApiServer, deps: RegistryRoutesDeps, { kind, url, params }: EntityFamily): void {
  /** With everything attached to it, except secrets. */
  app.get(
    url,
    { config: { action: 'read' }, schema: { tags, params, response: { 200: EntityView } } },
    async (request, reply) => {
      const desk = await deskOf(deps, request.params.metalake);
      const entity = await desk.entity(request.params.catalog, targetOf(kind, request.params));
      return reply.header('etag', tagOf(entity.version)).send(entityView(entity));
    },
  );

  /** Changes what is named, and leaves the rest; the version rises if anything changed. */
  app.patch(
    url,
    {
      config: { action: 'operate' },
      schema: { tags, params, headers: ifMatch, body: AlterEntity, response: { 200: EntityView } },
    },
    async (request, reply) => {
      const { metalake, catalog } = request.params;
      const desk = await deskOf(deps, metalake);
      const entity = await desk.alter({
        catalog,
        actor: request.actor.name,
        target: targetOf(kind, request.params),
        change: request.body,
        ...seenVersion(request.headers),
      });
      return reply.header('etag', tagOf(entity.version)).send(entityView(entity));
    },
  );

  /** Another name or another container; id and attachments stay, and what is inside moves along. */
  app.post(
    `${url}/rename`,
    {
      config: { action: 'operate' },
      schema: { tags, params, headers: ifMatch, body: RenameEntity, response: { 200: EntityView } },
    },
    async (request, reply) => {
      const { metalake, catalog } = request.params;
      const desk = await deskOf(deps, metalake);
      const entity = await desk.rename({
        catalog,
        actor: request.actor.name,
        target: targetOf(kind, request.params),
        to: request.body.path,
        ...seenVersion(request.headers),
      });
      reply.header('location', app.prefix + addressOf(request.params, kind, entity.path));
      return reply.header('etag', tagOf(entity.version)).send(entityView(entity));
    },
  );

  /** Unregisters at once, without asking the source and without dropping anything there. */
  app.delete(
    url,
    {
      config: { action: 'operate' },
      schema: { tags, params, headers: ifMatch, querystring: dropQuery, response: { 200: Dropped } },
    },
    async (request) => {
      const { metalake, catalog } = request.params;
      const desk = await deskOf(deps, metalake);
      const dropped = await desk.drop({
        catalog,
        actor: request.actor.name,
        target: targetOf(kind, request.params),
        cascade: request.query.cascade,
        ...seenVersion(request.headers),
      });
      return { dropped };
    },
  );
}

/**
 * Any registration by its id, for names that no address can carry (a browser resolves a segment `..`) and for kinds
 * without an address of their own.
 */
export function entityByIdRoutes(app: ApiServer, deps: RegistryRoutesDeps): void {
  const url = `${catalogUrl}/entities/:id`;
  const params = entityIdParams;

  /** The registration that has this id now. */
  app.get(
    url,
    { config: { action: 'read' }, schema: { tags, params, response: { 200: EntityView } } },
    async (request, reply) => {
      const { metalake, catalog, id } = request.params;
      const entity = await (await deskOf(deps, metalake)).entity(catalog, { by: 'id', id });
      return reply.header('etag', tagOf(entity.version)).send(entityView(entity));
    },
  );

  /** Unregisters at once, without asking the source and without dropping anything there. */
  app.delete(
    url,
    {
      config: { action: 'operate' },
      schema: { tags, params, headers: ifMatch, querystring: dropQuery, response: { 200: Dropped } },
    },
    async (request) => {
      const { metalake, catalog, id } = request.params;
      const dropped = await (await deskOf(deps, metalake)).drop({
        catalog,
        actor: request.actor.name,
        target: { by: 'id', id },
        cascade: request.query.cascade,
        ...seenVersion(request.headers),
      });
      return { dropped };
    },
  );
}
