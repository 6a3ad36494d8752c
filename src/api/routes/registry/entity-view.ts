import type { Registration } from '../../../domain/registration.ts';
import type { Entity } from '../../../registries/embedded/entity-rows.ts';
import type { EntityView } from '../../schemas/registry-entity.ts';

/** A registration in a list. */
export function registeredView({ path, ...rest }: Registration) {
  return { ...rest, path: [...path] };
}

/** One registration with what is attached to it; an entity holds no secret. */
export function entityView({ attachments, path, ...rest }: Entity): EntityView {
  const { tags, policies, grants, properties, secrets: _names, ...texts } = attachments;
  return {
    ...rest,
    path: [...path],
    ...texts,
    tags: [...tags],
    policies: [...policies],
    grants: [...grants],
    properties: { ...properties },
  };
}
