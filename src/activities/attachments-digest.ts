import { attachmentsDigest, canonical } from '../domain/digest.ts';
import type { Path } from '../domain/path.ts';
import { type Attachments, isAttended } from '../domain/registration.ts';
import type { Registry } from '../registries/registry.ts';
import type { ActivityDeps } from './deps.ts';

/** As many ids as the port takes at once. */
const idsAtOnce = 1_000;

export interface Attached {
  readonly body: Attachments | 'unseen';
  readonly digest: string;
}

/** Attachments and their digests by id; `unseen` for whatever the registry does not show. */
export async function readAttachments(
  deps: ActivityDeps,
  registry: Registry,
  catalog: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Attached>> {
  const attached = new Map<string, Attached>();
  for (let from = 0; from < ids.length; from += idsAtOnce) {
    const page = ids.slice(from, from + idsAtOnce);
    const bodies = await registry.attachments(catalog, page, signal);
    for (const id of page) {
      const body = bodies.get(id) ?? 'unseen';
      attached.set(id, { body, digest: attachmentsDigest(body, deps.hash) });
    }
  }
  return attached;
}

/** Registrations inside a container, in the order of their paths. */
export type InsidePages = AsyncIterable<
  readonly { readonly entity: string; readonly version: string; readonly path: Path }[]
>;

/** One digest over everything inside a container: id, version and attachments of each. */
export async function insideDigest(
  deps: ActivityDeps,
  registry: Registry,
  catalog: string,
  pages: InsidePages,
  signal: AbortSignal,
): Promise<{ readonly digest: string; readonly inside: number; readonly attended: boolean }> {
  let attended = false;
  let digest = '';
  let inside = 0;
  for await (const page of pages) {
    const attached = await readAttachments(
      deps,
      registry,
      catalog,
      page.map(({ entity }) => entity),
      signal,
    );
    for (const { entity, version } of page) {
      const body = attached.get(entity)?.body ?? 'unseen';
      attended ||= body === 'unseen' || isAttended(body);
      // Chained, so that a container of any size is digested page by page.
      digest = deps.hash(canonical([digest, entity, version, attached.get(entity)?.digest ?? 'unseen']));
    }
    inside += page.length;
  }
  return { digest, inside, attended };
}
