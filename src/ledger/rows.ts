import { createHash } from 'node:crypto';
import { canonical } from '../domain/digest.ts';
import { ReconcilerFailure } from '../domain/failure.ts';
import { type Path, parsePathText } from '../domain/path.ts';
import type { ObjectKind } from '../domain/registration.ts';
import type { Evidence, Verdict, VerdictKind } from '../domain/verdict.ts';

/** Columns of a verdict, as the drivers give and take them. */
export interface VerdictColumns {
  readonly verdict: VerdictKind;
  readonly code: string;
  readonly found: ObjectKind | null;
  readonly uid: string | null;
  readonly moved_to: string | null;
  readonly taken: boolean | null;
}

/** Texts in which nothing is escaped and nothing should be, as nearly all are; read without further looks. */
const plain = /^[ -$&-~]+$/;

function parsePlain(text: string): Path | undefined {
  if (!plain.test(text)) return undefined;
  const [first, ...rest] = text.split('/');
  return first === undefined ? undefined : [first, ...rest];
}

/** The path in a column. A text that nothing of ours wrote names no registration, and must not be mended into one. */
export function readPath(text: string): Path {
  const path = parsePlain(text) ?? parsePathText(text);
  if (path === undefined) throw corrupt(`the path ${JSON.stringify(text)}`);
  return path;
}

/** The same for a list that people read, where one odd text is shown as it stands and must not hide the other rows. */
export function shownPath(text: string): Path {
  return parsePathText(text) ?? [text];
}

export function readVerdict(row: VerdictColumns): Verdict {
  const { code, found, uid } = row;
  const identity = uid === null ? {} : { uid };
  switch (row.verdict) {
    case 'present':
    case 'replaced':
      if (found === null) throw corrupt(`a ${row.verdict} verdict without the kind that was found`);
      return { kind: row.verdict, code, found, ...identity };
    case 'absent':
      return { kind: 'absent', code, ...identity };
    case 'renamed':
      if (uid === null || row.moved_to === null) throw corrupt('a renamed verdict without identity or new name');
      return { kind: 'renamed', code, uid, movedTo: readPath(row.moved_to), taken: row.taken === true };
    case 'copied':
      if (uid === null) throw corrupt('a copied verdict without identity');
      return { kind: 'copied', code, uid };
    case 'unknown':
      return { kind: 'unknown', code };
  }
}

/** What a verdict has beside its kind and code. */
export interface VerdictDetail {
  readonly uid: string | undefined;
  readonly found?: ObjectKind;
  readonly movedTo?: Path;
  readonly taken?: boolean;
}

export function verdictDetail(verdict: Verdict): VerdictDetail {
  switch (verdict.kind) {
    case 'present':
    case 'replaced':
      return { uid: verdict.uid, found: verdict.found };
    case 'renamed':
      return { uid: verdict.uid, movedTo: verdict.movedTo, taken: verdict.taken };
    case 'absent':
    case 'copied':
      return { uid: verdict.uid };
    case 'unknown':
      return { uid: undefined };
  }
}

/** 128 bits: nobody chooses evidence so as to collide, and every verdict row carries one. */
const evidenceDigestLength = 32;

export function evidenceDigest(evidence: Evidence): string {
  return createHash('sha256').update(canonical(evidence)).digest('hex').slice(0, evidenceDigestLength);
}

export function corrupt(what: string): ReconcilerFailure {
  return new ReconcilerFailure('Internal', 'corrupt-row', `the ledger holds ${what}; restore it from a backup`);
}
