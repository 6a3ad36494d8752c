import { z } from 'zod';
import type { CatalogName } from '../../contract/names.ts';
import type { CatalogRecord } from '../../ledger/ledger.ts';
import { catalogKey } from '../addresses.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import type { ApiDeps } from '../deps.ts';
import { type CatalogGlance, Overview, overviewQuery } from '../schemas/catalog.ts';
import type { ApiServer } from '../server.ts';
import { catalogStanding } from '../views/catalog-view.ts';
import { type MetalakeCatalogs, catalogsOf } from '../registered-catalogs.ts';

const Position = z.tuple([z.literal('overview'), z.string()]);

/**
 * `GET /overview?metalake&name&limit&cursor`: catalogs at a glance, those that the registries list and those that the
 * ledger remembers, in order of their address. A registry that does not answer hides nothing: its catalogs are told
 * from the ledger with `registered: "unknown"`, and `metalakes` says why. Problems: `invalid-cursor`,
 * `ledger-unavailable`.
 */
export function overviewRoutes(app: ApiServer, deps: ApiDeps): void {
  const { ledger, clock } = deps;
  app.get(
    '/overview',
    {
      config: { action: 'read', problems: ['invalid-cursor'] },
      schema: { summary: 'Catalogs at a glance', querystring: overviewQuery, response: { 200: Overview } },
    },
    async ({ query: { metalake, name, limit, cursor } }) => {
      const after = cursor === undefined ? undefined : decodeCursor(cursor, Position)[1];
      const wanted = (await deps.metalakes()).filter((candidate) => metalake === undefined || candidate === metalake);
      const [records, metalakes] = await Promise.all([
        ledger.catalogs.catalogs(),
        Promise.all(wanted.map((candidate) => catalogsOf(deps, candidate))),
      ]);
      const rows = merged(records, metalakes).filter(
        (row) =>
          (metalake === undefined || row.name.metalake === metalake) &&
          (name === undefined || row.name.catalog === name) &&
          (after === undefined || row.key > after),
      );
      const page = rows.slice(0, limit);
      const last = rows.length > limit ? page.at(-1) : undefined;
      const catalogs: CatalogGlance[] = [];
      // one after the other: a page of catalogs must not take every connection of the ledger
      for (const row of page) catalogs.push(await glance(row));
      return {
        catalogs,
        metalakes: metalakes.map(({ catalogs: _listed, ...told }) => told),
        ...(last === undefined ? {} : { next: encodeCursor(['overview', last.key]) }),
      };
    },
  );

  async function glance({ key, name, record, registered }: Row): Promise<CatalogGlance> {
    const [counts, { version, policy }, [lastRound]] = await Promise.all([
      ledger.findings.count(key, clock()),
      ledger.catalogs.policy(key),
      ledger.rounds.rounds(key, { limit: 1 }),
    ]);
    return {
      ...catalogStanding(name, record),
      registered,
      ...(lastRound === undefined ? {} : { lastRound: briefly(lastRound) }),
      ...counts,
      policy: { mode: policy.mode, version },
    };
  }
}

interface Row {
  readonly key: string;
  readonly name: CatalogName;
  readonly record: CatalogRecord | undefined;
  readonly registered: CatalogGlance['registered'];
}

/** Catalogs of the ledger and of the registries, each once, in order of their address. */
function merged(records: readonly CatalogRecord[], metalakes: readonly MetalakeCatalogs[]): readonly Row[] {
  const rows = new Map<string, Row>();
  const silent = new Set(metalakes.filter(({ answered }) => !answered).map(({ name }) => name));
  for (const record of records) {
    const name = { metalake: record.metalake, catalog: record.name };
    rows.set(record.key, { key: record.key, name, record, registered: silent.has(record.metalake) ? 'unknown' : 'no' });
  }
  for (const { name: metalake, catalogs } of metalakes) {
    for (const catalog of catalogs) {
      const name = { metalake, catalog };
      const key = catalogKey(name);
      rows.set(key, { key, name, record: rows.get(key)?.record, registered: 'yes' });
    }
  }
  return [...rows.values()].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}

function briefly({ id, dry, state, startedAt, endedAt }: NonNullable<CatalogGlance['lastRound']>) {
  return { id, dry, state, startedAt, ...(endedAt === undefined ? {} : { endedAt }) };
}
