/** What a principal may do everywhere, ownership aside. */
export const roles = ['viewer', 'approver', 'operator'] as const;
export type Role = (typeof roles)[number];

/**
 * What a request does: `read` only looks; `decide` answers findings and undoes removals; `reconcile` has the source asked;
 * `operate` is everything else, settings and registrations included.
 */
export type Action = 'read' | 'decide' | 'reconcile' | 'operate';

/** Somebody whose credential was proved. */
export interface Principal {
  readonly name: string;
  readonly roles: readonly Role[];
}

/** The roles of which one is enough. */
export const rolesFor = {
  read: ['viewer', 'approver', 'operator'],
  decide: ['approver', 'operator'],
  reconcile: ['operator'],
  operate: ['operator'],
} as const satisfies Record<Action, readonly Role[]>;

/** What an owner may do in a catalog without any role: look after it, but change neither its settings nor its owner. */
const ofOwners: ReadonlySet<Action> = new Set<Action>(['read', 'decide', 'reconcile']);

export function mayByRole({ roles: held }: Pick<Principal, 'roles'>, action: Action): boolean {
  const enough: readonly Role[] = rolesFor[action];
  return held.some((role) => enough.includes(role));
}

export function ownersMay(action: Action): boolean {
  return ofOwners.has(action);
}

/**
 * Whether the principal may do this where these are the owners: of the catalog and of its metalake. Names are compared
 * letter by letter: who is taken for an owner by a likeness would decide in another one's catalog.
 */
export function may(principal: Principal, action: Action, owners: readonly string[]): boolean {
  return mayByRole(principal, action) || (ownersMay(action) && owners.includes(principal.name));
}
