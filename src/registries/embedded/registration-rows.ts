import { type Path, parsePathText } from '../../domain/path.ts';
import type { EntityKind, Registration } from '../../domain/registration.ts';
import { type CatalogRow, managesKind } from './catalog-row.ts';
import { entities } from './schema.ts';

/** The columns of a registration, and nothing that would make a page of 5,000 heavy. */
export const registrationColumns = {
  id: entities.id,
  kind: entities.kind,
  pathKey: entities.pathKey,
  version: entities.version,
  createdAt: entities.createdAt,
  managed: entities.managed,
  storageLocation: entities.storageLocation,
};

export interface RegistrationRow {
  readonly id: string;
  readonly kind: EntityKind;
  readonly pathKey: string;
  readonly version: number;
  readonly createdAt: number;
  readonly managed: boolean;
  readonly storageLocation: string | null;
}

export function registrationOf(catalog: Pick<CatalogRow, 'managedKinds'>, row: RegistrationRow): Registration {
  return {
    id: row.id,
    kind: row.kind,
    path: pathOf(row.pathKey),
    version: String(row.version),
    createdAt: row.createdAt,
    managed: row.managed || managesKind(catalog, row.kind),
    ...(row.storageLocation === null ? {} : { location: row.storageLocation }),
  };
}

/** The path of a key that we wrote ourselves; without an escape in it, there is nothing to check. */
export function pathOf(pathKey: string): Path {
  const path = pathKey.includes('%') ? parsePathText(pathKey) : pathKey.split('/');
  // A row that cannot be read must not make a list shorter in silence.
  if (path === undefined || !isPath(path)) throw new TypeError(`not a path key: ${JSON.stringify(pathKey)}`);
  return path;
}

function isPath(levels: readonly string[]): levels is Path {
  return levels.length > 0;
}
