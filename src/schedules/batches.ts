/** Runs over all items, so many at a time, and answers in their order. */
export async function inBatches<T, R>(items: readonly T[], size: number, run: (item: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  for (let start = 0; start < items.length; start += size) {
    answers.push(...(await Promise.all(items.slice(start, start + size).map(run))));
  }
  return answers;
}
