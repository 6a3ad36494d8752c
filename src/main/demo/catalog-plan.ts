import type { Path } from '../../domain/path.ts';
import type { Attachments, EntityKind } from '../../domain/registration.ts';

/** What people would have attached to a registration by hand. */
export type Attached = Partial<Pick<Attachments, 'owner' | 'tags' | 'policies' | 'grants'>>;

/** One object of the demo: how its source makes it, and how it is registered. */
export interface DemoObject {
  readonly kind: EntityKind;
  readonly path: Path;
  /** Makes it at the source; every container and table that it needs stands before it in the list. */
  readonly statement: string;
  readonly attached?: Attached;
}

/** A catalog of the demo that has a source. */
export interface CatalogPlan {
  readonly name: SourcedCatalog;
  readonly comment: string;
  readonly owner: string;
  readonly objects: readonly DemoObject[];
  /**
   * What somebody does at the source behind the registry's back. Written so that doing it twice leaves the same, since
   * the process may be killed before it could note that it was done.
   */
  readonly drift: string;
}

export type SourcedCatalog = 'shop' | 'analytics';

export function schema(name: string, attached?: Attached): DemoObject {
  return object('schema', [name], `create schema ${quoted([name])}`, attached);
}

/** @param columns everything between the parentheses of CREATE TABLE */
export function table(path: Path, columns: string, attached?: Attached): DemoObject {
  return object('table', path, `create table ${quoted(path)} (${columns})`, attached);
}

/** A table whose rows lie in partitions; people register the table alone. */
export function partitioned(
  path: readonly [string, string],
  definition: { readonly columns: string; readonly by: string; readonly partitions: Readonly<Record<string, string>> },
  attached?: Attached,
): DemoObject {
  const [inSchema] = path;
  const whole = `create table ${quoted(path)} (${definition.columns}) partition by ${definition.by}`;
  const parts = Object.entries(definition.partitions).map(
    ([name, values]) => `create table ${quoted([inSchema, name])} partition of ${quoted(path)} for values ${values}`,
  );
  return object('table', path, [whole, ...parts].join(';\n'), attached);
}

export function view(path: Path, query: string, attached?: Attached): DemoObject {
  return object('view', path, `create view ${quoted(path)} as ${query}`, attached);
}

export function materializedView(path: Path, query: string, attached?: Attached): DemoObject {
  return object('view', path, `create materialized view ${quoted(path)} as ${query}`, attached);
}

/** A path as SQL names it; any character may be in a name. */
export function quoted(path: Path): string {
  return path.map((name) => `"${name.replaceAll('"', '""')}"`).join('.');
}

/** Makes the whole catalog at its source, from whatever a start that was cut short has left there. */
export function makingOf({ objects }: CatalogPlan): string {
  const schemas = objects.filter(({ kind }) => kind === 'schema').map(({ path }) => quoted(path));
  const statements = [`drop schema if exists ${schemas.join(', ')} cascade`, ...objects.map((one) => one.statement)];
  return statements.join(';\n');
}

function object(kind: EntityKind, path: Path, statement: string, attached: Attached | undefined): DemoObject {
  return { kind, path, statement, ...(attached === undefined ? {} : { attached }) };
}
