import type { EmbeddedMetalakes } from '../../../registries/embedded/metalakes.ts';
import type { RegistryDesk } from '../../../registries/embedded/registry-desk.ts';
import { ApiProblem } from '../../problems/api-problem.ts';

export interface RegistryRoutesDeps {
  /** The metalakes of the embedded store. */
  readonly metalakes: EmbeddedMetalakes;
}

/** Where requests about one metalake are served. */
export async function deskOf({ metalakes }: RegistryRoutesDeps, metalake: string): Promise<RegistryDesk> {
  const desk = await metalakes.desk(metalake);
  if (desk === undefined) {
    throw new ApiProblem('no-such-metalake', `The embedded registry has no metalake ${JSON.stringify(metalake)}.`);
  }
  return desk;
}

/** The entity tag of a version. */
export function tagOf(version: string): string {
  return `"${version}"`;
}

/** Which version the caller has seen, from the `If-Match` header. */
export function seenVersion(headers: { readonly 'if-match'?: string | undefined }): { expectedVersion?: string } {
  const version = headers['if-match'];
  return version === undefined ? {} : { expectedVersion: version };
}

/** The page that a query asks for. */
export function askedPage(query: { readonly cursor?: string; readonly limit: number }): {
  after?: string;
  limit: number;
} {
  return query.cursor === undefined ? { limit: query.limit } : { after: query.cursor, limit: query.limit };
}
