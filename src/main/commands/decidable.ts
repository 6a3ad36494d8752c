import { catalogAddress } from '../../api/addresses.ts';
import type { CatalogStanding } from '../../api/schemas/catalog.ts';
import { type FindingView, StalePage } from '../../api/schemas/finding.ts';
import type { CatalogName } from '../../contract/names.ts';
import { parsePathText, pathText } from '../../domain/path.ts';
import type { ApiClient } from '../api-client.ts';
import { UsageError } from '../exit-codes.ts';

/** Findings to decide on, and the paths at which none is open. */
export interface Decidable {
  readonly catalog: CatalogStanding;
  readonly found: readonly FindingView[];
  readonly missing: readonly string[];
}

/** The open findings at these path texts, each once. */
export async function findingsAt(api: ApiClient, name: CatalogName, paths: readonly string[]): Promise<Decidable> {
  for (const path of paths) checkPath(path);
  const found: FindingView[] = [];
  const missing: string[] = [];
  let catalog: CatalogStanding | undefined;
  for (const path of new Set(paths)) {
    const page = await api.get(`${catalogAddress(name)}/stale?${new URLSearchParams({ path }).toString()}`, StalePage);
    ({ catalog } = page);
    const [finding] = page.findings;
    if (finding === undefined) missing.push(path);
    else found.push(finding);
  }
  if (catalog === undefined) throw new UsageError('Give at least one path.');
  return { catalog, found, missing };
}

function checkPath(path: string): void {
  if (parsePathText(path) !== undefined) return;
  const meant = pathText(path.split('/'));
  throw new UsageError(`${path} is not a path as we write it: within a name % is %25. Did you mean ${meant}?`);
}
