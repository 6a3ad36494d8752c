import pLimit from 'p-limit';
import { catalogKey } from '../../api/addresses.ts';
import type { CatalogConfig } from '../../config/config.ts';
import { revealAll } from '../../config/secret.ts';
import type { CatalogName } from '../../contract/names.ts';
import { readControls } from '../../domain/controls.ts';
import { failureRules, ReconcilerFailure } from '../../domain/failure.ts';
import type { ProbeTarget } from '../../domain/verdict.ts';
import { type CatalogConnection, openSource } from '../source-directory.ts';
import { type Diagnosis, diagnosing, inTime, LookTimedOut, whyOf } from './diagnosis.ts';
import type { RegisteredCatalog } from './registry.ts';

/** A source that takes longer than this to say who it is has no round either. */
const sourceWithinMs = 10_000;
/** For all of them together: a report that takes longer is not waited for. */
const allWithinMs = 60_000;
/** Sources are asked side by side, so that one that is silent does not hold up the others. */
const atOnce = 16;

const { ok, warning, wrong, skipped } = diagnosing('sources');

/** A catalog's source and what the ledger remembers of it. */
export interface SourceToAsk extends CatalogName {
  readonly connection: CatalogConnection;
  /** Objects that an earlier round saw present. */
  readonly known: readonly ProbeTarget[];
  /** The system that was accepted as the source. */
  readonly fingerprint?: string;
}

/** The connection as the file states it, in the form in which the registry keeps it. */
export function connectionInFile({ provider, settings, secrets }: CatalogConfig): CatalogConnection {
  return { provider, settings, secrets: revealAll(secrets) };
}

/** Catalogs of the file and of the registry, each once; what the file says is what will be asked. */
export function catalogsToAsk(
  configured: readonly CatalogConfig[],
  registered: readonly RegisteredCatalog[],
): readonly (CatalogName & { readonly connection: CatalogConnection })[] {
  const inFile = configured.map((catalog) => ({
    metalake: catalog.metalake,
    catalog: catalog.catalog,
    connection: connectionInFile(catalog),
  }));
  const named = new Set(inFile.map(catalogKey));
  return [...inFile, ...registered.filter((catalog) => !named.has(catalogKey(catalog)))];
}

/** Asks every source who it is, what it takes us for, and whether its controls answer as they must. */
export async function sourcesFound(sources: readonly SourceToAsk[]): Promise<readonly Diagnosis[]> {
  const limit = pLimit(atOnce);
  const until = Date.now() + allWithinMs;
  const told = await Promise.all(
    sources.map((source) =>
      limit(() =>
        Date.now() < until
          ? sourceFound(source)
          : [skipped(catalogKey(source), `not asked: the others took ${allWithinMs / 1_000} s`)],
      ),
    ),
  );
  return told.flat();
}

async function sourceFound({ connection, known, fingerprint, ...name }: SourceToAsk): Promise<readonly Diagnosis[]> {
  const key = catalogKey(name);
  try {
    const source = openSource(key, connection);
    try {
      return await inTime(sourceWithinMs, async (signal) => {
        const { controls, ...who } = await source.check(known, signal);
        const reading = readControls(controls);
        if (reading === 'untrusted') {
          return [wrong(key, 'answers control questions wrongly', failureRules.ProbeUntrusted.mend)];
        }
        if (reading === 'controls-absent') {
          const mend = 'see what became of them before anything is approved; removals are held until then';
          return [wrong(key, 'the objects that earlier rounds saw there are all gone', mend)];
        }
        if (fingerprint !== undefined && fingerprint !== who.fingerprint) {
          const mend = `point the catalog back, or accept it: accept-source ${key} --reason …`;
          return [wrong(key, 'another system answers than the one that was accepted', mend)];
        }
        const rights = await source.rights?.(signal);
        const sees = rights === undefined ? '' : `; ${rights.sees}`;
        const told = [ok(key, `${source.traits.source} takes us for ${who.principal}${sees}; ${words[reading]}`)];
        if (rights !== undefined && rights.excess.length > 0) {
          const mend = 'use a role that may connect and nothing more: existence is all that is asked';
          told.push(warning(key, `${who.principal} ${rights.excess.join(', ')}`, mend));
        }
        return told;
      });
    } finally {
      await source.close();
    }
  } catch (error) {
    if (error instanceof ReconcilerFailure) {
      return [wrong(key, whyOf(error), failureRules[error.type].mend.replace(/\.$/, ''))];
    }
    const mend =
      error instanceof LookTimedOut ? 'look at the source: a check takes milliseconds' : 'correct its connection';
    return [wrong(key, whyOf(error), mend)];
  }
}

const words = {
  trusted: 'controls answer as they must',
  'no-known': 'controls answer, and no round has seen an object yet',
} as const;
