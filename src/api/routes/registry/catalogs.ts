import { z } from 'zod';
import type { CatalogRecord } from '../../../registries/embedded/catalog-record.ts';
import {
  AlterCatalog,
  CreateCatalog,
  RegistryCatalogPage,
  RegistryCatalogView,
} from '../../schemas/registry-catalog.ts';
import { OwnerBody, OwnerView, registryCatalogParams } from '../../schemas/registry-entity.ts';
import { RegistryName } from '../../schemas/registry-names.ts';
import { ifMatch, registryPageQuery } from '../../schemas/registry-parts.ts';
import type { ApiServer } from '../../server.ts';
import { type RegistryRoutesDeps, askedPage, deskOf, seenVersion, tagOf } from './desk.ts';
import { catalogUrl } from './entity-address.ts';

const tags = ['registry'];
const listUrl = '/metalakes/:metalake/catalogs';
const params = registryCatalogParams;

/** Catalogs of one metalake. No answer holds a secret: what a catalog needs to connect is only ever written. */
export function registryCatalogRoutes(app: ApiServer, deps: RegistryRoutesDeps): void {
  /** Every catalog of the metalake, by name. */
  app.get(
    listUrl,
    {
      config: { action: 'read' },
      schema: {
        tags,
        params: z.object({ metalake: RegistryName }),
        querystring: z.strictObject(registryPageQuery),
        response: { 200: RegistryCatalogPage },
      },
    },
    async (request) => {
      const desk = await deskOf(deps, request.params.metalake);
      const { items, next } = await desk.catalogs(askedPage(request.query));
      return { catalogs: items.map(catalogView), ...(next === undefined ? {} : { next }) };
    },
  );

  /** A new catalog; whoever creates it owns it, unless said otherwise. */
  app.post(
    listUrl,
    {
      config: { action: 'operate' },
      schema: {
        tags,
        params: z.object({ metalake: RegistryName }),
        body: CreateCatalog,
        response: { 201: RegistryCatalogView },
      },
    },
    async (request, reply) => {
      const { metalake } = request.params;
      const desk = await deskOf(deps, metalake);
      const catalog = await desk.createCatalog(request.body, request.actor.name);
      const address = `/metalakes/${encodeURIComponent(metalake)}/catalogs/${encodeURIComponent(catalog.name)}`;
      reply.header('location', app.prefix + address);
      return reply.code(201).header('etag', tagOf(catalog.version)).send(catalogView(catalog));
    },
  );

  /** One catalog. */
  app.get(
    catalogUrl,
    { config: { action: 'read' }, schema: { tags, params, response: { 200: RegistryCatalogView } } },
    async (request, reply) => {
      const { metalake, catalog: name } = request.params;
      const catalog = await (await deskOf(deps, metalake)).catalog(name);
      return reply.header('etag', tagOf(catalog.version)).send(catalogView(catalog));
    },
  );

  /** Changes what is named, and leaves the rest. */
  app.patch(
    catalogUrl,
    {
      config: { action: 'operate' },
      schema: { tags, params, headers: ifMatch, body: AlterCatalog, response: { 200: RegistryCatalogView } },
    },
    async (request, reply) => {
      const { metalake, catalog: name } = request.params;
      const asked = { actor: request.actor.name, ...seenVersion(request.headers) };
      const catalog = await (await deskOf(deps, metalake)).alterCatalog(name, request.body, asked);
      return reply.header('etag', tagOf(catalog.version)).send(catalogView(catalog));
    },
  );

  /** Drops an empty catalog; one with registrations is refused. */
  app.delete(
    catalogUrl,
    { config: { action: 'operate' }, schema: { tags, params, headers: ifMatch, response: { 204: z.undefined() } } },
    async (request, reply) => {
      const { metalake, catalog } = request.params;
      const asked = { actor: request.actor.name, ...seenVersion(request.headers) };
      await (await deskOf(deps, metalake)).dropCatalog(catalog, asked);
      return reply.code(204).send();
    },
  );

  /** Who owns the catalog. */
  app.get(
    `${catalogUrl}/owner`,
    { config: { action: 'read' }, schema: { tags, params, response: { 200: OwnerView } } },
    async (request, reply) => {
      const catalog = await (await deskOf(deps, request.params.metalake)).catalog(request.params.catalog);
      return reply.header('etag', tagOf(catalog.version)).send(catalog);
    },
  );

  /** Gives the catalog another owner. */
  app.put(
    `${catalogUrl}/owner`,
    {
      config: { action: 'operate' },
      schema: { tags, params, headers: ifMatch, body: OwnerBody, response: { 200: OwnerView } },
    },
    async (request, reply) => {
      const { metalake, catalog: name } = request.params;
      const asked = { actor: request.actor.name, ...seenVersion(request.headers) };
      const catalog = await (await deskOf(deps, metalake)).alterCatalog(name, request.body, asked);
      return reply.header('etag', tagOf(catalog.version)).send(catalog);
    },
  );

  /** Leaves the catalog without an owner. */
  app.delete(
    `${catalogUrl}/owner`,
    { config: { action: 'operate' }, schema: { tags, params, headers: ifMatch, response: { 200: OwnerView } } },
    async (request, reply) => {
      const { metalake, catalog: name } = request.params;
      const asked = { actor: request.actor.name, ...seenVersion(request.headers) };
      const catalog = await (await deskOf(deps, metalake)).alterCatalog(name, { owner: null }, asked);
      return reply.header('etag', tagOf(catalog.version)).send(catalog);
    },
  );
}

function catalogView({ managedKinds, settings, properties, ...rest }: CatalogRecord) {
  return { ...rest, managedKinds: [...managedKinds], settings: { ...settings }, properties: { ...properties } };
}
