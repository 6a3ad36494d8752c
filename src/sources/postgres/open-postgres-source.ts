import type { Located, ProbeTarget } from '../../domain/verdict.ts';
import type { ListedObject, ProbeBatch, Source, SourceCheck, SourceRights, SourceTraits } from '../source.ts';
import { checkByProbe, requireBatch } from '../whole-probe.ts';
import { locateUids } from './identify.ts';
import { listObjects } from './list.ts';
import { probeNames } from './probe.ts';
import { readRights } from './rights.ts';
import { Sessions } from './sessions.ts';
import { type PostgresSettings, readSettings } from './settings.ts';

export interface PostgresOptions {
  /** The password, or how to get it; it is asked for at each new connection and kept nowhere. */
  readonly password?: string | (() => Promise<string>);
  readonly timeouts?: {
    /** From the first packet to a session, name resolution, TLS and log-in included. Default 5 s. */
    readonly connectMs?: number;
    /** One statement. Default 20 s. */
    readonly statementMs?: number;
  };
  /** Connections at a time. Default 4, one for each lane of a round. */
  readonly maxConnections?: number;
}

const traits: SourceTraits = {
  source: 'postgresql',
  // Measured over 100,000 tables: 500 take 12 ms, 2,000 take 27 ms, and beyond that a batch gains nothing.
  batchSize: 2_000,
  parentImpliesChild: true,
  stableIdentity: true,
};

/**
 * One database of a PostgreSQL server. Opens no connection until it is asked something.
 * @param given what the registry's catalog states, in the form of {@link PostgresSettings}; refused if it does not fit
 */
export function openPostgresSource(given: Readonly<Record<string, string>>, options: PostgresOptions = {}): Source {
  const settings = readSettings(given);
  const { password, timeouts = {}, maxConnections = 4 } = options;
  const { connectMs = 5_000, statementMs = 20_000 } = timeouts;
  return new PostgresSource(settings, new Sessions({ settings, password, connectMs, statementMs }, maxConnections));
}

class PostgresSource implements Source {
  readonly traits = traits;
  readonly #settings: PostgresSettings;
  readonly #sessions: Sessions;

  constructor(settings: PostgresSettings, sessions: Sessions) {
    this.#settings = settings;
    this.#sessions = sessions;
  }

  check(known: readonly ProbeTarget[], signal: AbortSignal): Promise<SourceCheck> {
    return checkByProbe(this, known, signal);
  }

  async probe(
    targets: readonly ProbeTarget[],
    known: readonly ProbeTarget[],
    signal: AbortSignal,
  ): Promise<ProbeBatch> {
    requireBatch('PostgreSQL', traits.batchSize, targets);
    return this.#sessions.use(signal, (session) => probeNames(session, this.#settings, targets, known, signal));
  }

  async identify(uids: readonly string[], signal: AbortSignal): Promise<readonly Located[]> {
    const distinct = [...new Set(uids)]; // asked twice, an identity would seem to be in two places
    const located: Located[] = [];
    for (let start = 0; start < distinct.length; start += traits.batchSize) {
      const batch = distinct.slice(start, start + traits.batchSize);
      const places = await this.#sessions.use(signal, (session) => locateUids(session, this.#settings, batch, signal));
      located.push(...places);
    }
    return located;
  }

  list(signal: AbortSignal): AsyncIterable<ListedObject> {
    // a connection per page: whoever reads slowly holds none meanwhile
    return listObjects(
      (text, values) => this.#sessions.use(signal, (session) => session.query(text, values, signal)),
      this.#settings,
    );
  }

  rights(signal: AbortSignal): Promise<SourceRights> {
    return this.#sessions.use(signal, (session) => readRights(session, this.#settings, signal));
  }

  close(): Promise<void> {
    return this.#sessions.close();
  }
}
