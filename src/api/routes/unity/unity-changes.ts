import type { z } from 'zod';
import { normalizeLocation } from '../../../delta/rules/location.ts';
import type { NewContainer, UnityChange } from '../../../registries/embedded/lake/unity-desk.ts';
import type { ChangeBody, CreateCatalogBody } from './unity-bodies.ts';

/** What a new catalog or schema is. */
export function container(body: z.output<typeof CreateCatalogBody>): NewContainer {
  const { name, comment, properties, storage_root: root } = body;
  return {
    name,
    ...(comment === undefined ? {} : { comment }),
    ...(properties === undefined ? {} : { properties }),
    ...(root === undefined ? {} : { storageRoot: normalizeLocation(root) }),
  };
}

/** What is to change. */
export function change(body: z.output<typeof ChangeBody>): UnityChange {
  const { comment, properties, new_name: newName, owner } = body;
  return {
    ...(comment === undefined ? {} : { comment }),
    ...(properties === undefined ? {} : { properties }),
    ...(newName === undefined ? {} : { newName }),
    ...(owner === undefined ? {} : { owner }),
  };
}

/** Deletes; the published API answers with a text. */
export async function done(work: () => Promise<void>): Promise<string> {
  await work();
  return '200 OK';
}
