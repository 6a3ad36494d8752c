/** Enough looks that one slow call of the source does not make the number jump. */
const looksKept = 8;

/** Tells how much was done in a second, over the last looks; `undefined` before there are two of them. */
export function createRate(): (done: number | undefined, atMs: number) => number | undefined {
  const looks: { readonly done: number; readonly atMs: number }[] = [];
  return (done, atMs) => {
    if (done === undefined) return undefined;
    // a round that begins again, or another worker that counts anew
    if (done < (looks.at(-1)?.done ?? 0)) looks.length = 0;
    looks.push({ done, atMs });
    if (looks.length > looksKept) looks.shift();
    const [oldest] = looks;
    if (oldest === undefined || atMs <= oldest.atMs) return undefined;
    return Math.round(((done - oldest.done) / (atMs - oldest.atMs)) * 10_000) / 10;
  };
}
