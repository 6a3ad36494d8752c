import type { WantedAttribute } from './dev-server/search-attributes.ts';
import { searchAttributes } from '../contract/names.ts';

/** Every search attribute that rounds and reviews carry; a server must know them before the first one starts. */
export const wantedSearchAttributes: readonly WantedAttribute[] = Object.values(searchAttributes).map(
  ({ name, type }) => ({ name, type }),
);

export { addMissingAttributes } from './dev-server/search-attributes.ts';
