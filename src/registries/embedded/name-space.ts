import type { EntityKind } from '../../domain/registration.ts';
import { impossible } from '../../domain/impossible.ts';

/** Names are unique per name space: a table and a view cannot share one, a table and a schema can. */
export type NameSpace = 'schema' | 'relation' | 'topic';

export function nameSpaceOf(kind: EntityKind): NameSpace {
  switch (kind) {
    case 'schema':
      return 'schema';
    case 'table':
    case 'view':
      return 'relation';
    case 'topic':
      return 'topic';
    default:
      return impossible(kind);
  }
}
