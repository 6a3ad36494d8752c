import type { z } from 'zod';
import { pathText } from '../../domain/path.ts';
import type { RemovalRecord } from '../../ledger/ledger.ts';
import type { RemovalView } from '../schemas/removal.ts';
import { outcomeInWords } from '../words/outcomes.ts';

export function removalView(removal: RemovalRecord): z.infer<typeof RemovalView> {
  const { id, action, movedTo, finding, entity, kind, path, actor, outcome, reason, entities, evidence, at } = removal;
  return {
    id,
    action,
    finding,
    registration: entity,
    kind,
    path: pathText(path),
    ...(movedTo === undefined ? {} : { movedTo: pathText(movedTo) }),
    actor,
    outcome,
    outcomeText: outcomeInWords(outcome),
    reason,
    entities,
    evidence,
    at,
  };
}
