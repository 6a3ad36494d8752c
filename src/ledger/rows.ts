import { createHash } from 'node:crypto';
import { canonical } from '../domain/digest.ts';
import { ReconcilerFailure } from '../domain/failure.ts';
import { type Path, parsePathText, pathText } from '../domain/path.ts';
import type { ObjectKind } from '../domain/registration.ts';
import type { Evidence, RememberedIdentity, Verdict, VerdictKind } from '../domain/verdict.ts';

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

/** What a verdict has beside its kind and code; nothing for most, so that a batch of present ones stays small. */
export function verdictDetail(verdict: Verdict): {
  readonly found?: ObjectKind;
  readonly uid?: string;
  readonly moved_to?: string;
  readonly taken?: boolean;
} {
  switch (verdict.kind) {
    case 'present':
    case 'replaced':
      return { found: verdict.found, ...(verdict.uid === undefined ? {} : { uid: verdict.uid }) };
    case 'absent':
      return verdict.uid === undefined ? {} : { uid: verdict.uid };
    case 'renamed':
      return { uid: verdict.uid, moved_to: pathText(verdict.movedTo), taken: verdict.taken };
    case 'copied':
      return { uid: verdict.uid };
    case 'unknown':
      return {};
  }
}

/** The remembered identity of a left join; no row, no memory. */
export function readIdentity(row: {
  readonly known_found: ObjectKind | null;
  readonly known_uid: string | null;
}): RememberedIdentity | undefined {
  if (row.known_found === null) return undefined;
  return { found: row.known_found, ...(row.known_uid === null ? {} : { uid: row.known_uid }) };
}

/** 128 bits: nobody chooses evidence so as to collide, and every verdict row carries one. */
const evidenceDigestLength = 32;

export function evidenceDigest(evidence: Evidence): string {
  return createHash('sha256').update(canonical(evidence)).digest('hex').slice(0, evidenceDigestLength);
}

export function corrupt(what: string): ReconcilerFailure {
  return new ReconcilerFailure('Internal', 'corrupt-row', `the ledger holds ${what}; restore it from a backup`);
}
