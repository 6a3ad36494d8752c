import { type Figure, figure, secondsOf } from './figure.ts';
import type { Workshop } from './workshop.ts';

/** As many as a request may carry. */
const bulk = 1_000;
const requests = 10;
const single = 100;

interface Page {
  readonly findings: readonly { readonly id: string; readonly digest: string }[];
  readonly next?: string;
}

/** How many approvals a second the API takes, in bulk and one by one; the guard holds what they are about. */
export async function measureDecisions(workshop: Workshop): Promise<readonly Figure[]> {
  const { address } = await workshop.millionStale();
  const open: { readonly findingId: string; readonly digest: string }[] = [];
  for (let next: string | undefined; open.length < bulk * requests + single; ) {
    const query = new URLSearchParams({ limit: '500', ...(next === undefined ? {} : { cursor: next }) });
    const page = (await (await fetch(`${address}/stale?${query.toString()}`)).json()) as Page;
    open.push(...page.findings.map(({ id, digest }) => ({ findingId: id, digest })));
    next = page.next;
  }
  const approve = async (items: typeof open): Promise<void> => {
    const body = JSON.stringify({ items: items.map((item) => ({ ...item, action: 'approve' })) });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${address}/decisions`, { method: 'POST', headers, body });
    const { answers } = (await answer.json()) as { readonly answers?: readonly { readonly answer: string }[] };
    const accepted = answers?.filter((each) => each.answer === 'accepted').length ?? 0;
    if (accepted !== items.length)
      throw new Error(`${accepted} of ${items.length} were accepted, status ${answer.status}`);
  };
  const inBulk = await secondsOf(async () => {
    for (let number = 0; number < requests; number += 1) await approve(open.slice(number * bulk, (number + 1) * bulk));
  });
  const oneByOne = await secondsOf(async () => {
    for (const item of open.slice(bulk * requests, bulk * requests + single)) await approve([item]);
  });
  return [
    figure(`decisions in requests of ${bulk}`, (bulk * requests) / inBulk, 'a second'),
    figure('decisions one a request, one after the other', single / oneByOne, 'a second'),
  ];
}
