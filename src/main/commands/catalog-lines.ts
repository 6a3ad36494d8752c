import type { CatalogStanding } from '../../api/schemas/catalog.ts';
import { marked } from '../terminal/table.ts';
import { moment } from '../terminal/times.ts';

/** Where a catalog stands, a line for each thing that holds its removals back. */
export function standingLines(catalog: CatalogStanding): string[] {
  const { address, state, stateText, stateReason, hold, pause, stop, published } = catalog;
  const last = published === undefined ? '' : `, judged ${moment(published.at)}`;
  return [
    ...marked(`${address}:`, state === 'ok' ? `ok${last}` : `${state}, ${stateText}${last}`),
    ...(stateReason === undefined ? [] : marked('  Because:', stateReason.message)),
    ...barLines({ hold, ...(pause === undefined ? {} : { pause }), ...(stop === undefined ? {} : { stop }) }),
  ];
}

/** What keeps every removal of the catalog waiting, approved ones too. */
export function barLines({ hold, pause, stop }: Pick<CatalogStanding, 'hold' | 'pause' | 'stop'>): string[] {
  return [
    ...hold.flatMap(({ code, text }) => marked(`  Held (${code}):`, text)),
    ...(pause === undefined ? [] : marked(`  Paused by ${pause.by}, ${moment(pause.at)}:`, pause.reason)),
    ...(stop === undefined ? [] : marked(`  Stopped ${moment(stop.at)} (${stop.code}):`, stop.text)),
  ];
}
