import { and, eq, inArray, or } from 'drizzle-orm';
import type { DeltaAction } from '../../../delta/backend.ts';
import { DeltaError } from '../../../delta/delta-error.ts';
import type { SchemaRef, StagingReservation, TableRef } from '../../../delta/table.ts';
import { type Principal, mayByRole } from '../../../domain/permission.ts';
import type { EmbeddedDatabase } from '../database.ts';
import { entities, entityGrants, metalakes } from '../schema.ts';
import { catalogAt, isTableAt, noTableAt, schemaIdAt } from './levels.ts';

interface PermissionDeps {
  readonly db: EmbeddedDatabase;
  readonly metalake: string;
}

/** What somebody is to the objects that an action names, and what was granted on the nearest of them. */
interface Standing {
  readonly ownsCatalog: boolean;
  readonly ownsSchema: boolean;
  readonly ownsTable: boolean;
  /** In capitals, words apart by one blank. */
  readonly privileges: ReadonlySet<string>;
}

/**
 * Whether somebody may do this: by role, as the owner of the metalake, the catalog, the schema or the table, or by a grant
 * on schema or table (`SELECT`, `MODIFY`, `CREATE TABLE`, `ALL PRIVILEGES`). What is named and missing is told first.
 */
export async function requirePermission(
  deps: PermissionDeps,
  principal: Principal,
  action: DeltaAction,
): Promise<void> {
  if (!(await isAllowed(deps, principal, action))) {
    throw new DeltaError('PermissionDenied', `${principal.name} may not do this: ${action.kind}.`);
  }
}

async function isAllowed(deps: PermissionDeps, principal: Principal, action: DeltaAction): Promise<boolean> {
  const operates = mayByRole(principal, 'operate');
  switch (action.kind) {
    case 'GetConfig':
      // It says what the server can do, and nothing of what the catalog holds.
      await catalogAt(deps.db, deps.metalake, action.catalog);
      return true;
    case 'CreateStaging':
    case 'CreateTable': {
      const { ownsCatalog, ownsSchema, privileges } = await standing(deps, principal, action.at);
      return operates || ownsCatalog || ownsSchema || privileges.has('CREATE TABLE');
    }
    case 'AdoptStaging':
      return isReservedBy(action.reservation, principal);
    case 'ReadTable':
      return mayRead(principal, await standing(deps, principal, action.table));
    case 'WriteTable': {
      const { ownsTable, privileges } = await standing(deps, principal, action.table);
      return operates || ownsTable || privileges.has('MODIFY');
    }
    case 'DeleteTable':
      return operates || owns(await standing(deps, principal, action.table));
    case 'RenameTable':
      return operates || owns(await standing(deps, principal, action.from));
    case 'VendTableCredential': {
      const found = await standing(deps, principal, action.table);
      if (action.access === 'READ') return mayRead(principal, found);
      return operates || found.ownsTable || (found.privileges.has('SELECT') && found.privileges.has('MODIFY'));
    }
    case 'VendPathCredential':
      return action.reservation === undefined ? operates : isReservedBy(action.reservation, principal);
    default:
      return unknownAction(action);
  }
}

/** Whoever reserved, and nobody else, whatever the role: somebody's unfinished table may lie there. */
function isReservedBy({ createdBy }: StagingReservation, { name }: Principal): boolean {
  return createdBy === name;
}

function mayRead(principal: Principal, found: Standing): boolean {
  return (
    mayByRole(principal, 'read') || owns(found) || found.privileges.has('SELECT') || found.privileges.has('MODIFY')
  );
}

function owns({ ownsCatalog, ownsSchema, ownsTable }: Standing): boolean {
  return ownsCatalog || ownsSchema || ownsTable;
}

/** An action of a later version of the port: nobody has said yet who may. */
function unknownAction(_action: never): boolean {
  return false;
}

async function standing(
  { db, metalake }: PermissionDeps,
  { name }: Principal,
  ref: SchemaRef | TableRef,
): Promise<Standing> {
  const catalog = await catalogAt(db, metalake, ref.catalog);
  const [lake] = await db.select({ owner: metalakes.owner }).from(metalakes).where(eq(metalakes.name, metalake));
  const schemaId = await schemaIdAt(db, catalog, ref.schema);
  const named =
    'table' in ref
      ? or(eq(entities.id, schemaId), isTableAt(catalog, ref.schema, ref.table))
      : eq(entities.id, schemaId);
  const found = await db.select({ id: entities.id, owner: entities.owner }).from(entities).where(named);
  const table = found.find(({ id }) => id !== schemaId);
  if ('table' in ref && table === undefined) return noTableAt(db, catalog, ref.schema, ref.table);
  const ids = found.map(({ id }) => id);
  const grants = await db
    .select({ privilege: entityGrants.privilege })
    .from(entityGrants)
    .where(and(inArray(entityGrants.entityId, ids), eq(entityGrants.principal, name)));
  const privileges = new Set(grants.map(({ privilege }) => privilege.toUpperCase().replaceAll(/[\s_]+/g, ' ')));
  if (privileges.has('ALL PRIVILEGES')) for (const one of every) privileges.add(one);
  return {
    ownsCatalog: catalog.owner === name || lake?.owner === name,
    ownsSchema: found.find(({ id }) => id === schemaId)?.owner === name,
    ownsTable: table?.owner === name,
    privileges,
  };
}

const every = ['SELECT', 'MODIFY', 'CREATE TABLE'] as const;
