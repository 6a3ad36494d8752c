import type { Actor } from './actor.ts';

/** Whether two names are one person's, however they are written. */
export function isSamePerson(one: Pick<Actor, 'name'>, other: Pick<Actor, 'name'>): boolean {
  return plainName(one) === plainName(other);
}

function plainName({ name }: Pick<Actor, 'name'>): string {
  return name.normalize('NFKC').trim().toLowerCase();
}
