import { encodeCursor } from '../src/api/cursor.ts';
import { pathText } from '../src/domain/path.ts';
import { type Figure, figure, quantile } from './figure.ts';
import type { Workshop } from './workshop.ts';

const pages = 400;
const pageRows = 100;

/** A page of stale registrations out of a million, anywhere in the list, asked of the API over HTTP. */
export async function measureStalePage(workshop: Workshop): Promise<readonly Figure[]> {
  const { address, count } = await workshop.millionStale();
  const page = async (cursor?: string): Promise<number> => {
    const query = new URLSearchParams({ limit: String(pageRows), ...(cursor === undefined ? {} : { cursor }) });
    const started = performance.now();
    const answer = await fetch(`${address}/stale?${query.toString()}`);
    const { findings } = (await answer.json()) as { readonly findings: readonly unknown[] };
    const took = performance.now() - started;
    if (findings.length !== pageRows) throw new Error(`a page had ${findings.length} rows, status ${answer.status}`);
    return took;
  };
  for (let warm = 0; warm < 20; warm += 1) await page();
  const taken: number[] = [];
  for (let number = 0; number < pages; number += 1) {
    // a stride that is prime to the number of schemas comes everywhere, in no order that a cache could guess
    const path = pathText([`s${(number * 173) % 500}`, 'v1']);
    taken.push(await page(encodeCursor(['stale', path, '0'])));
  }
  const what = `page of ${pageRows} out of ${count} stale registrations`;
  return [figure(`${what}, p50`, quantile(taken, 0.5), 'ms'), figure(`${what}, p99`, quantile(taken, 0.99), 'ms', 25)];
}
