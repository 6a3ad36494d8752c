import { pathText, type Path } from './path.ts';
import type { Attachments, EntityKind } from './registration.ts';

/** A cryptographic digest of a text, as hexadecimal; passed in, since the rules do no I/O and know no library. */
export type Hash = (text: string) => string;

/** One text for one value: keys sorted, no spaces, `undefined` left out. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`);
    return `{${entries.join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

/** Attachments in an order of their own, so that a registry may list them in any. */
export function attachmentsDigest(attachments: Attachments | 'unseen', hash: Hash): string {
  if (attachments === 'unseen') return 'unseen';
  return hash(
    canonical({
      ...attachments,
      tags: [...attachments.tags].sort(),
      policies: [...attachments.policies].sort(),
      grants: attachments.grants.map(canonical).sort(),
      ...(attachments.secrets === undefined ? {} : { secrets: [...attachments.secrets].sort() }),
    }),
  );
}

/** What a person's decision is bound to. No time, round or count is in it: an unchanged finding keeps its approval. */
export interface FindingEvidence {
  readonly entityId: string;
  readonly version: string;
  readonly path: Path;
  readonly kind: EntityKind;
  readonly epoch: string;
  readonly verdict: string;
  readonly code: string;
  readonly attachments: string;
  /** Where a renamed object lives now: a second rename is other evidence. */
  readonly movedTo?: Path;
  /** The digest over everything registered inside: id, version and attachments of each, in the order of the paths. */
  readonly inside?: string;
}

export function findingDigest(evidence: FindingEvidence, hash: Hash): string {
  const { path, movedTo, ...rest } = evidence;
  const moved = movedTo === undefined ? {} : { movedTo: pathText(movedTo) };
  return hash(canonical({ ...rest, path: pathText(path), ...moved }));
}

/** What we look with. A change of any of it starts a new epoch, in which earlier misses count for nothing. */
export interface Eyes {
  readonly connection: Readonly<Record<string, string>>;
  readonly principal: string;
  readonly fingerprint: string;
  readonly scope: unknown;
}

/** Raised whenever the meaning of a verdict changes, so that counters gathered under older rules start anew. */
export const rulesVersion = 1;

export function epochOf(eyes: Eyes, hash: Hash): string {
  return hash(canonical({ ...eyes, rulesVersion })).slice(0, 16);
}
