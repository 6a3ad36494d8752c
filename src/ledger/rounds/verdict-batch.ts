import { canonical } from '../../domain/digest.ts';
import { pathText } from '../../domain/path.ts';
import type { RememberedIdentity, Evidence, Verdict } from '../../domain/verdict.ts';
import { numberArray, textArray } from '../array-text.ts';
import { toJsonText } from '../json-text.ts';
import type { VerdictRow } from '../ledger.ts';
import { evidenceDigest, verdictDetail } from '../rows.ts';

/** A batch of verdicts as parameters of one statement. */
export interface VerdictBatch {
  readonly first: number;
  readonly last: number;
  readonly rows: string;
  readonly uids: string;
  readonly times: string;
  /** Per row, the number of its shape. */
  readonly shapes: string;
  /** Everything that many rows have in common, once. */
  readonly shapeList: string;
  /** Evidence with its digest, each once. */
  readonly proofs: string;
}

/**
 * Nearly all verdicts of a round differ in nothing but row and identity, so what they share is sent once. That costs
 * half as much to send and to read as row by row.
 */
export function verdictBatch(rows: readonly VerdictRow[]): VerdictBatch {
  const digests = digestsOf(rows);
  const numbers = new Map<string, number>();
  const shapeList: unknown[] = [];
  const uids: (string | undefined)[] = [];
  const shapes = rows.map((row) => {
    const { kind, code } = row.verdict;
    const { uid, found, movedTo, taken } = verdictDetail(row.verdict);
    const moved_to = movedTo === undefined ? undefined : pathText(movedTo);
    uids.push(uid);
    const evidence = digests.ofObject.get(row.evidence) ?? '';
    const fresh = isFresh(row.verdict, row.remembered);
    // the code comes last: it is the only part that could hold a line end
    const name = `${kind}\n${found}\n${evidence}\n${fresh}\n${taken}\n${moved_to}\n${code}`;
    const known = numbers.get(name);
    if (known !== undefined) return known;
    numbers.set(name, shapeList.length);
    shapeList.push({ shape: shapeList.length, verdict: kind, code, found, evidence, fresh, taken, moved_to });
    return shapeList.length - 1;
  });
  const numbersOfRows = rows.map(({ row }) => row);
  return {
    first: Math.min(...numbersOfRows),
    last: Math.max(...numbersOfRows),
    rows: numberArray(numbersOfRows),
    uids: textArray(uids),
    times: numberArray(rows.map(({ probedAt }) => probedAt)),
    shapes: numberArray(shapes),
    shapeList: JSON.stringify(shapeList),
    proofs: JSON.stringify(digests.proofs),
  };
}

/** In one order for everybody, so that two lanes writing the same evidence cannot wait for each other in a circle. */
function digestsOf(rows: readonly VerdictRow[]): {
  readonly ofObject: ReadonlyMap<Evidence, string>;
  readonly proofs: readonly { readonly digest: string; readonly body: string }[];
} {
  const ofObject = new Map<Evidence, string>();
  const ofText = new Map<string, string>();
  const bodies = new Map<string, Evidence>();
  for (const { evidence } of rows) {
    if (ofObject.has(evidence)) continue;
    const text = canonical(evidence);
    const digest = ofText.get(text) ?? evidenceDigest(evidence);
    ofText.set(text, digest);
    ofObject.set(evidence, digest);
    bodies.set(digest, evidence);
  }
  const proofs = [...bodies].map(([digest, body]) => ({ digest, body: toJsonText(body) }));
  return { ofObject, proofs: proofs.sort((a, b) => (a.digest < b.digest ? -1 : 1)) };
}

function isFresh(verdict: Verdict, remembered: RememberedIdentity | undefined): boolean {
  if (verdict.kind !== 'present') return false;
  if (remembered === undefined || remembered.found !== verdict.found) return true;
  return verdict.uid !== undefined && verdict.uid !== remembered.uid;
}
