import { createHash } from 'node:crypto';
import type { OpenSource } from '../activities/deps.ts';
import type { CatalogName } from '../contract/names.ts';
import { canonical } from '../domain/digest.ts';
import { ReconcilerFailure } from '../domain/failure.ts';
import { pathText } from '../domain/path.ts';
import type { Metrics } from '../observability/metrics.ts';
import { openDeltaSource } from '../sources/delta/open-delta-source.ts';
import { openPostgresSource } from '../sources/postgres/open-postgres-source.ts';
import type { Source } from '../sources/source.ts';
import { observedSource } from './observed-source.ts';

/** How to reach a catalog's source, the secret included; never leaves this room. */
export interface CatalogConnection {
  readonly provider: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
}

export interface SourceDirectory {
  /** Opens the catalog's source, or hands out the one that is open with the same settings. */
  sourceOf(name: CatalogName): Promise<OpenSource>;
  close(): Promise<void>;
}

interface Entry {
  readonly digest: string;
  readonly open: OpenSource;
}

/** Keeps one open source a catalog, for as long as its settings stay the same. */
export function createSourceDirectory(options: {
  readonly connectionOf: (name: CatalogName) => Promise<CatalogConnection>;
  readonly probesInFlight: (name: CatalogName) => number;
  /** Measures every call that a source is asked by. */
  readonly metrics?: Metrics;
}): SourceDirectory {
  const entries = new Map<string, Entry>();
  const { metrics } = options;
  return {
    async sourceOf(name) {
      const key = pathText([name.metalake, name.catalog]);
      const connection = await options.connectionOf(name);
      const digest = createHash('sha256').update(canonical(connection)).digest('hex');
      const entry = entries.get(key);
      if (entry?.digest === digest) return entry.open;
      const source = openSource(key, connection);
      const open: OpenSource = {
        source: metrics === undefined ? source : observedSource(source, metrics),
        connection: { provider: connection.provider, ...connection.settings },
        probesInFlight: options.probesInFlight(name),
      };
      entries.set(key, { digest, open });
      // Whoever still asks the old one gets an error and is retried with the new one.
      await entry?.open.source.close();
      return open;
    },
    async close() {
      const open = [...entries.values()];
      entries.clear();
      await Promise.all(open.map((entry) => entry.open.source.close()));
    },
  };
}

/** The one place that knows which provider needs which adapter. */
export function openSource(key: string, { provider, settings, secrets }: CatalogConnection): Source {
  switch (provider) {
    case 'postgresql':
      return openPostgresSource(settings, secrets['password'] === undefined ? {} : { password: secrets['password'] });
    case 'delta': {
      const { secretAccessKey, sessionToken } = secrets;
      return openDeltaSource(settings, {
        ...(secretAccessKey === undefined ? {} : { secretAccessKey }),
        ...(sessionToken === undefined ? {} : { sessionToken }),
      });
    }
    default:
      throw new ReconcilerFailure(
        'InvalidRequest',
        'unknown-provider',
        `Catalog ${key} has provider ${provider}, which no source adapter is for. Known: postgresql, delta.`,
      );
  }
}
