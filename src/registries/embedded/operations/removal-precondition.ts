import { pathText } from '../../../domain/path.ts';
import type { Registration } from '../../../domain/registration.ts';
import type { RemoveAnswer, RemoveRequest } from '../../registry.ts';

/** What a removal takes: the registration, then everything inside it in path order. */
export interface Going {
  readonly going: readonly [Registration, ...Registration[]];
}

/** Whether the registry still holds exactly what was judged, or what the removal is answered otherwise. */
export function compareWithJudged(
  request: Pick<RemoveRequest, 'kind' | 'path' | 'expectedVersion' | 'expectedInside'>,
  found: Registration | undefined,
  inside: readonly Registration[],
): Going | RemoveAnswer {
  if (found === undefined) return { outcome: 'already-gone' };
  if (found.kind !== request.kind) return changed('kind-changed');
  if (pathText(found.path) !== pathText(request.path)) return changed('moved');
  if (found.version !== request.expectedVersion) return changed('version-changed');
  const difference = insideDifference(request.expectedInside, inside);
  if (difference !== undefined) return changed(difference);
  if (found.managed || inside.some(({ managed }) => managed)) return { outcome: 'refused', reason: 'managed' };
  return { going: [found, ...inside] };
}

function insideDifference(
  expected: RemoveRequest['expectedInside'],
  inside: readonly Registration[],
): 'new-child' | 'child-changed' | 'child-gone' | undefined {
  const versions = new Map(expected.map(({ id, version }) => [id, version]));
  for (const { id } of inside) if (!versions.has(id)) return 'new-child';
  for (const { id, version } of inside) if (versions.get(id) !== version) return 'child-changed';
  return inside.length === versions.size ? undefined : 'child-gone';
}

function changed(reason: string): RemoveAnswer {
  return { outcome: 'changed', reason };
}
