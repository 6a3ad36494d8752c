import { type Path, pathText } from '../../../domain/path.ts';
import type { EntityKind } from '../../../domain/registration.ts';
import { type CaseRule, spelled } from '../case-rule.ts';
import { requireCatalog } from '../catalog-row.ts';
import type { EmbeddedDatabase } from '../database.ts';
import type { Target } from '../entity-rows.ts';
import { pathProblem } from '../names.ts';
import { RegistryRefusal } from '../refusal.ts';
import type { CatalogDispatcher } from './dispatcher.ts';

/**
 * Names by the catalog's case rule, and refused where they cannot be names. The same for every verb: what a creation
 * accepted, a drop can name. The rule never changes after the catalog's creation, so reading it without a lock is safe.
 */
export function normalizeLink(
  deps: { readonly db: EmbeddedDatabase; readonly metalake: string },
  next: CatalogDispatcher,
): CatalogDispatcher {
  async function ruleOf(catalog: string): Promise<CaseRule> {
    return (await requireCatalog(deps.db, { metalake: deps.metalake, catalog })).caseRule;
  }

  async function target(catalog: string, named: Target): Promise<Target> {
    if (named.by === 'id') return named;
    return { ...named, path: normal(await ruleOf(catalog), named.kind, named.path) };
  }

  return {
    create: async (command) =>
      next.create({ ...command, path: normal(await ruleOf(command.catalog), command.kind, command.path) }),
    importAll: async (command) => {
      const rule = await ruleOf(command.catalog);
      const spelledItems = command.items.map((item) => ({ ...item, path: spelled(rule, item.path) }));
      // One bad name does not keep the others out.
      const items = spelledItems.filter(({ kind, path }) => pathProblem(kind, path) === undefined);
      const counts = await next.importAll({ ...command, items });
      return { ...counts, refused: counts.refused + command.items.length - items.length };
    },
    // The new path is checked by the operation, which knows the kind; here it gets its spelling.
    rename: async (command) =>
      next.rename({
        ...command,
        target: await target(command.catalog, command.target),
        to: spelled(await ruleOf(command.catalog), command.to),
      }),
    alter: async (command) => next.alter({ ...command, target: await target(command.catalog, command.target) }),
    write: async (command, work) => {
      const [schema, table] = spelled(await ruleOf(command.catalog), [command.schema, command.table]);
      return next.write({ ...command, schema, table: table ?? command.table }, work);
    },
    drop: async (command) => next.drop({ ...command, target: await target(command.catalog, command.target) }),
    remove: async (command) => next.remove({ ...command, path: spelled(await ruleOf(command.catalog), command.path) }),
    repoint: async (command) => {
      const rule = await ruleOf(command.catalog);
      // Under another spelling than the source's, the registration would not lead to its object.
      if (pathText(spelled(rule, command.to)) !== pathText(command.to)) {
        return { outcome: 'refused', reason: 'name-not-kept' };
      }
      return next.repoint({ ...command, path: spelled(rule, command.path) });
    },
    // Names that were registered here before are spelled as this catalog spells them.
    restore: (command) => next.restore(command),
  };
}

function normal(rule: CaseRule, kind: EntityKind, path: Path): Path {
  const spelling = spelled(rule, path);
  const problem = pathProblem(kind, spelling);
  if (problem !== undefined) throw new RegistryRefusal('invalid-name', problem);
  return spelling;
}
