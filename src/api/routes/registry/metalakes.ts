import { z } from 'zod';
import { CreateMetalake, MetalakePage, MetalakeView } from '../../schemas/registry-catalog.ts';
import { OwnerBody, OwnerView } from '../../schemas/registry-entity.ts';
import { RegistryName } from '../../schemas/registry-names.ts';
import { ifMatch, registryPageQuery } from '../../schemas/registry-parts.ts';
import { ApiProblem } from '../../problems/api-problem.ts';
import type { ApiServer } from '../../server.ts';
import { type RegistryRoutesDeps, askedPage, seenVersion, tagOf } from './desk.ts';

const tags = ['registry'];
const params = z.object({ metalake: RegistryName });

/** Metalakes of the embedded registry: create, read, list, and their owner. */
export function metalakeRoutes(app: ApiServer, deps: RegistryRoutesDeps): void {
  /** Every metalake, by name. */
  app.get(
    '/metalakes',
    {
      config: { action: 'read' },
      schema: { tags, querystring: z.strictObject(registryPageQuery), response: { 200: MetalakePage } },
    },
    async (request) => {
      const { items, next } = await deps.metalakes.page(askedPage(request.query));
      return { metalakes: [...items], ...(next === undefined ? {} : { next }) };
    },
  );

  /** A new metalake; whoever creates it owns it. */
  app.post(
    '/metalakes',
    { config: { action: 'operate' }, schema: { tags, body: CreateMetalake, response: { 201: MetalakeView } } },
    async (request, reply) => {
      const metalake = await deps.metalakes.create(request.body, request.actor.name);
      reply.header('location', `${app.prefix}/metalakes/${encodeURIComponent(metalake.name)}`);
      return reply.code(201).header('etag', tagOf(metalake.version)).send(metalake);
    },
  );

  /** One metalake. */
  app.get(
    '/metalakes/:metalake',
    { config: { action: 'read' }, schema: { tags, params, response: { 200: MetalakeView } } },
    async (request, reply) => {
      const metalake = await known(deps, request.params.metalake);
      return reply.header('etag', tagOf(metalake.version)).send(metalake);
    },
  );

  /** Who owns the metalake, and may act in all its catalogs. */
  app.get(
    '/metalakes/:metalake/owner',
    { config: { action: 'read' }, schema: { tags, params, response: { 200: OwnerView } } },
    async (request, reply) => {
      const metalake = await known(deps, request.params.metalake);
      return reply.header('etag', tagOf(metalake.version)).send(metalake);
    },
  );

  /** Gives the metalake another owner. */
  app.put(
    '/metalakes/:metalake/owner',
    {
      config: { action: 'operate' },
      schema: { tags, params, headers: ifMatch, body: OwnerBody, response: { 200: OwnerView } },
    },
    async (request, reply) => {
      const asked = { actor: request.actor.name, ...seenVersion(request.headers) };
      const metalake = await deps.metalakes.setOwner(request.params.metalake, request.body.owner, asked);
      return reply.header('etag', tagOf(metalake.version)).send(metalake);
    },
  );

  /** Leaves the metalake without an owner. */
  app.delete(
    '/metalakes/:metalake/owner',
    { config: { action: 'operate' }, schema: { tags, params, headers: ifMatch, response: { 200: OwnerView } } },
    async (request, reply) => {
      const asked = { actor: request.actor.name, ...seenVersion(request.headers) };
      const metalake = await deps.metalakes.setOwner(request.params.metalake, null, asked);
      return reply.header('etag', tagOf(metalake.version)).send(metalake);
    },
  );
}

async function known({ metalakes }: RegistryRoutesDeps, name: string) {
  const metalake = await metalakes.find(name);
  if (metalake !== undefined) return metalake;
  throw new ApiProblem('no-such-metalake', `The embedded registry has no metalake ${JSON.stringify(name)}.`);
}
