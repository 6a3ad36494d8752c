import { z } from 'zod';
import type { EntityChange } from '../../../registries/embedded/chain/dispatcher.ts';
import type { Entity } from '../../../registries/embedded/entity-rows.ts';
import { Grants, Label, Policies, Tags, ifMatch } from '../../schemas/registry-parts.ts';
import type { ApiServer } from '../../server.ts';
import { type RegistryRoutesDeps, deskOf, seenVersion, tagOf } from './desk.ts';
import { type EntityFamily, targetOf } from './entity-address.ts';

const tags = ['registry'];

/** One attachment of an entity, as a resource of its own below the entity's address. */
interface Attachment {
  readonly name: 'owner' | 'tags' | 'policies' | 'grants';
  /** What is sent and, with the version beside it, what is answered. */
  readonly shape: z.ZodType<EntityChange>;
  readonly answer: z.ZodType<object>;
  readonly read: (entity: Entity) => object;
  readonly none: EntityChange;
}

const version = z.string();

const attachments: readonly Attachment[] = [
  {
    name: 'owner',
    shape: z.strictObject({ owner: Label }),
    answer: z.object({ owner: z.string().exactOptional(), version }),
    read: ({ attachments: { owner } }) => (owner === undefined ? {} : { owner }),
    none: { owner: null },
  },
  {
    name: 'tags',
    shape: z.strictObject({ tags: Tags }),
    answer: z.object({ tags: z.array(z.string()), version }),
    read: (entity) => ({ tags: entity.attachments.tags }),
    none: { tags: [] },
  },
  {
    name: 'policies',
    shape: z.strictObject({ policies: Policies }),
    answer: z.object({ policies: z.array(z.string()), version }),
    read: (entity) => ({ policies: entity.attachments.policies }),
    none: { policies: [] },
  },
  {
    name: 'grants',
    shape: z.strictObject({ grants: Grants }),
    answer: z.object({ grants: z.array(z.object({ principal: z.string(), privilege: z.string() })), version }),
    read: (entity) => ({ grants: entity.attachments.grants }),
    none: { grants: [] },
  },
];

/** Owner, tags, policies and grants of one kind of entity. Every change raises the entity's version. */
export function attachmentRoutes(app: ApiServer, deps: RegistryRoutesDeps, family: EntityFamily): void {
  const { kind, params } = family;
  for (const { name, shape, answer, read, none } of attachments) {
    const url = `${family.url}/${name}`;
    const told = (entity: Entity) => ({ ...read(entity), version: entity.version });

    /** What is attached now. */
    app.get(
      url,
      { config: { action: 'read' }, schema: { tags, params, response: { 200: answer } } },
      async (request, reply) => {
        const desk = await deskOf(deps, request.params.metalake);
        const entity = await desk.entity(request.params.catalog, targetOf(kind, request.params));
        return reply.header('etag', tagOf(entity.version)).send(told(entity));
      },
    );

    /** Makes it exactly this. */
    app.put(
      url,
      {
        config: { action: 'operate' },
        schema: { tags, params, headers: ifMatch, body: shape, response: { 200: answer } },
      },
      async (request, reply) => {
        const { metalake, catalog } = request.params;
        const entity = await (await deskOf(deps, metalake)).alter({
          catalog,
          actor: request.actor.name,
          target: targetOf(kind, request.params),
          change: request.body,
          ...seenVersion(request.headers),
        });
        return reply.header('etag', tagOf(entity.version)).send(told(entity));
      },
    );

    /** Takes all of it away. */
    app.delete(
      url,
      { config: { action: 'operate' }, schema: { tags, params, headers: ifMatch, response: { 200: answer } } },
      async (request, reply) => {
        const { metalake, catalog } = request.params;
        const entity = await (await deskOf(deps, metalake)).alter({
          catalog,
          actor: request.actor.name,
          target: targetOf(kind, request.params),
          change: none,
          ...seenVersion(request.headers),
        });
        return reply.header('etag', tagOf(entity.version)).send(told(entity));
      },
    );
  }
}
