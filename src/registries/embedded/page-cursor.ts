import { type SQL, sql } from 'drizzle-orm';
import { parsePathText } from '../../domain/path.ts';
import type { NameSpace } from './name-space.ts';
import { nameProblem } from './names.ts';
import { RegistryRefusal } from './refusal.ts';
import { entities } from './schema.ts';

/** The last row of a page. */
export interface PagePosition {
  readonly pathKey: string;
  readonly nameSpace: NameSpace;
}

const letters = { schema: 's', relation: 'r', topic: 't' } as const satisfies Record<NameSpace, string>;
const nameSpaces: Readonly<Record<string, NameSpace | undefined>> = { s: 'schema', r: 'relation', t: 'topic' };

/** Opaque to callers, and fit for a URL. */
export function cursorOf({ pathKey, nameSpace }: PagePosition): string {
  return Buffer.from(`${letters[nameSpace]}${pathKey}`).toString('base64url');
}

/** What {@link cursorOf} wrote; `undefined` for any other text. */
export function parseCursor(cursor: string): PagePosition | undefined {
  const text = Buffer.from(cursor, 'base64url').toString();
  const nameSpace = nameSpaces[text.charAt(0)];
  const pathKey = text.slice(1);
  const path = parsePathText(pathKey);
  if (nameSpace === undefined || path?.every((name) => nameProblem(name) === undefined) !== true) return undefined;
  const position = { pathKey, nameSpace };
  return cursorOf(position) === cursor ? position : undefined;
}

/** The rows behind a position, in the order of path keys, then name spaces: the order of the index by path. */
export function behind({ pathKey, nameSpace }: PagePosition): SQL {
  return sql`(${entities.pathKey}, ${entities.nameSpace}) > (${pathKey}, ${nameSpace})`;
}

/** A cursor over names: metalakes, catalogs. */
export function nameCursorOf(name: string): string {
  return Buffer.from(name).toString('base64url');
}

/** What {@link nameCursorOf} wrote; `undefined` for any other text. */
export function parseNameCursor(cursor: string): string | undefined {
  const name = Buffer.from(cursor, 'base64url').toString();
  return nameProblem(name) === undefined && nameCursorOf(name) === cursor ? name : undefined;
}

export function invalidCursor(): never {
  throw new RegistryRefusal('invalid-cursor', 'not a cursor of this listing');
}
