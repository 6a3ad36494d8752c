import type { EntityKind } from '../../domain/registration.ts';
import type { RegistryCatalog } from '../registry.ts';
import type { CatalogRow } from './catalog-row.ts';
import type { CaseRule } from './case-rule.ts';
import { RegistryRefusal } from './refusal.ts';

/** Everything of a catalog that may be shown: never a secret. */
export interface CatalogRecord {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
  readonly owner?: string;
  readonly comment?: string;
  /** How to reach the source. */
  readonly settings: Readonly<Record<string, string>>;
  readonly properties: Readonly<Record<string, string>>;
  readonly managedKinds: readonly EntityKind[];
  readonly caseRule: CaseRule;
  readonly version: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface NewCatalog {
  readonly name: string;
  readonly provider: string;
  /** Whoever creates it, unless said otherwise. */
  readonly owner?: string;
  readonly comment?: string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly properties?: Readonly<Record<string, string>>;
  /** Kinds whose storage the catalog itself manages; none by default. */
  readonly managedKinds?: readonly EntityKind[];
  /** Where managed tables are laid whose schema names no root of its own. */
  readonly storageRoot?: string;
  /** `sensitive` by default; for good. */
  readonly caseRule?: CaseRule;
  /** Stored apart; only the composition root reads them. */
  readonly secrets?: Readonly<Record<string, string>>;
}

/** What to change; a field that is not there stays. `null` takes away. */
export interface CatalogChange {
  readonly owner?: string | null;
  readonly comment?: string | null;
  /** By key; the others stay. */
  readonly settings?: Readonly<Record<string, string | null>>;
  readonly properties?: Readonly<Record<string, string | null>>;
  readonly managedKinds?: readonly EntityKind[];
  readonly secrets?: Readonly<Record<string, string | null>>;
}

export function catalogRecordOf(row: CatalogRow): CatalogRecord {
  const { metalake: _metalake, storageRoot: _storageRoot, owner, comment, version, ...rest } = row;
  return {
    ...rest,
    ...(owner === null ? {} : { owner }),
    ...(comment === null ? {} : { comment }),
    version: String(version),
  };
}

/** The catalog as the reconciler sees it. */
export function registryCatalogOf(row: CatalogRow): RegistryCatalog {
  const { name, provider, owner, managedKinds, settings } = row;
  return {
    name,
    provider,
    ...(owner === null ? {} : { owner }),
    managedKinds,
    connection: { provider, settings },
  };
}

/** The texts after a change by key. */
export function changedTexts(
  before: Readonly<Record<string, string>>,
  change: Readonly<Record<string, string | null>> | undefined,
): Readonly<Record<string, string>> {
  const entries = Object.entries({ ...before, ...change });
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== null));
}

/** Settings and properties are shown to everyone, so that a secret among them would be given away. */
export function refuseSecretsIn(shown: Readonly<Record<string, unknown>> | undefined): void {
  const key = Object.keys(shown ?? {}).find((name) => /passw|secret|token|credential|private.?key/i.test(name));
  if (key === undefined) return;
  throw new RegistryRefusal(
    'misplaced-secret',
    `${JSON.stringify(key)} belongs under secrets, where it is never shown`,
  );
}
