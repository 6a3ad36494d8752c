/** Which catalog table an oid belongs to; oids are unique only within one. */
export type UidKind = 'schema' | 'relation';

export interface Uid {
  readonly kind: UidKind;
  readonly oid: string;
}

/** Identity as the rest of the program holds it: `relation:16385`. */
export function uidText(kind: UidKind, oid: string): string {
  return `${kind}:${oid}`;
}

const largestOid = 0xffff_ffff;

/** `undefined` for anything that {@link uidText} does not write; such an identity is nowhere in PostgreSQL. */
export function parseUid(text: string): Uid | undefined {
  const [, kind, oid] = /^(schema|relation):([1-9]\d{0,9})$/.exec(text) ?? [];
  if (kind === undefined || oid === undefined || Number(oid) > largestOid) return undefined;
  return { kind: kind as UidKind, oid };
}
