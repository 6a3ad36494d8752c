/** The candidate that `word` was most likely meant to be; `undefined` where none is close. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  // two slips, or one in three letters; beyond that a guess would mislead
  return within(word, candidates, Math.max(2, Math.floor(word.length / 3)));
}

/** The candidate that is at most so many slips away. */
export function within(word: string, candidates: readonly string[], slips: number): string | undefined {
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of candidates) {
    // `grace` for `graceSecs`: the unit is easily forgotten
    const unitForgotten = folded(candidate) === `${folded(word)}secs`;
    const distance = unitForgotten ? 1 : editDistance(folded(word), folded(candidate));
    if (distance <= slips && distance < (best?.distance ?? Number.POSITIVE_INFINITY)) {
      best = { candidate, distance };
    }
  }
  return best?.candidate;
}

/** `interval_secs` and `INTERVAL-SECS` are `intervalSecs` in another spelling. */
function folded(word: string): string {
  return word.toLowerCase().replace(/[-_]/g, '');
}

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const substituted = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(substituted, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
