import type { Attachments, Grant } from '../../domain/registration.ts';

/** The attachments that are sets: named once each, without an order of their own. */
export type AttachmentSets = Pick<Attachments, 'tags' | 'policies' | 'grants'>;

/** Each element once and in the order in which rows are read back, so that equal sets compare as equal. */
export function tidySets({ tags, policies, grants }: Partial<AttachmentSets>): Partial<AttachmentSets> {
  return {
    ...(tags === undefined ? {} : { tags: tidy(tags) }),
    ...(policies === undefined ? {} : { policies: tidy(policies) }),
    ...(grants === undefined ? {} : { grants: tidyGrants(grants) }),
  };
}

function tidy(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort(byCodePoint);
}

function tidyGrants(grants: readonly Grant[]): readonly Grant[] {
  const byText = new Map(
    grants.map(({ principal, privilege }) => [JSON.stringify([principal, privilege]), { principal, privilege }]),
  );
  return [...byText.values()].sort(
    (a, b) => byCodePoint(a.principal, b.principal) || byCodePoint(a.privilege, b.privilege),
  );
}

function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
