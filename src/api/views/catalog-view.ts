import type { CatalogName } from '../../contract/names.ts';
import type { CatalogRecord } from '../../ledger/ledger.ts';
import { catalogKey } from '../addresses.ts';
import type { CatalogStanding } from '../schemas/catalog.ts';
import { holdInWords, stateInWords, stopInWords } from '../words/holds.ts';

/** Where a catalog stands; one that no round ever looked at has no record and stands at `never-scanned`. */
export function catalogStanding(name: CatalogName, record: CatalogRecord | undefined): CatalogStanding {
  const { metalake, catalog } = name;
  const names = { metalake, catalog, address: catalogKey(name) };
  if (record === undefined) {
    return { ...names, state: 'never-scanned', stateText: stateInWords('never-scanned'), hold: [] };
  }
  const { state, stateReason, pause, stop, published } = record;
  return {
    ...names,
    state,
    stateText: stateInWords(state),
    ...(stateReason === undefined ? {} : { stateReason }),
    stateSince: record.stateSince,
    hold: holdInWords(record.hold),
    ...(pause === undefined ? {} : { pause }),
    ...(stop === undefined ? {} : { stop: stopInWords(stop) }),
    ...(published === undefined ? {} : { published: { round: published.id, at: published.at } }),
  };
}
