import type { Path } from '../../domain/path.ts';
import type { EntityKind } from '../../domain/registration.ts';

/** A catalog whose source is down. Its registrations look as stale as any, and must never be judged. */
export const offlinePlan = {
  name: 'offline',
  comment: 'The old warehouse, which does not answer',
  owner: 'migration-team',
  objects: [
    { kind: 'schema', path: ['archive'] },
    { kind: 'table', path: ['archive', 'ledger_2019'] },
    { kind: 'table', path: ['archive', 'ledger_2020'] },
    { kind: 'view', path: ['archive', 'yearly_totals'] },
  ],
} as const satisfies {
  readonly name: string;
  readonly comment: string;
  readonly owner: string;
  readonly objects: readonly { readonly kind: EntityKind; readonly path: Path }[];
};
