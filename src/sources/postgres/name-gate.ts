import { impossible } from '../../domain/impossible.ts';
import type { ProbeTarget } from '../../domain/verdict.ts';
import { type NameDoubt, type NameRule, nameDoubt } from '../name-gate.ts';

// NAMEDATALEN - 1: the server cuts longer names without an error
const rule: NameRule = { maxBytes: 63, outerBlanks: 'kept' };

/** One line of the statement: a schema, or a relation in it. */
export interface Question {
  readonly schema: string;
  readonly relation: string | null;
}

/** The question that a target is, or why it cannot be asked. */
export function questionFor(target: ProbeTarget): Question | NameDoubt | 'path-not-representable' {
  for (const name of target.path) {
    const doubt = nameDoubt(name, rule);
    if (doubt !== undefined) return doubt;
  }
  const [schema, relation, ...more] = target.path;
  if (more.length > 0) return 'path-not-representable';
  switch (target.kind) {
    case 'schema':
      return relation === undefined ? { schema, relation: null } : 'path-not-representable';
    case 'table':
    case 'view':
      return relation === undefined ? 'path-not-representable' : { schema, relation };
    case 'topic':
      return 'path-not-representable'; // PostgreSQL has none, whatever the path
    default:
      return impossible(target.kind);
  }
}
