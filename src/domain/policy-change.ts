import { type GuardPolicy, type Policy, defaultPolicy } from './policy.ts';

/** What a person may change beside the configuration. Not how long traces are kept: whoever acts must not shorten that. */
export type PolicyChange = Partial<Omit<Policy, 'guard' | 'savedAttachmentsMs' | 'auditMs'>> & {
  readonly guard?: Partial<GuardPolicy>;
};

export function changedPolicy(policy: Policy, { guard, ...change }: PolicyChange): Policy {
  return { ...policy, ...change, guard: { ...policy.guard, ...guard } };
}

/**
 * What forbids that a person alone makes this policy of that one, as a sentence; `undefined` where nothing does. Whatever
 * the configuration guards, only the configuration can give up.
 */
export function changeFlaw(previous: Policy, next: Policy, configured: Policy): string | undefined {
  const unprotected = [...new Set([...defaultPolicy.protect, ...configured.protect])].filter(
    (pattern) => !next.protect.includes(pattern),
  );
  if (unprotected.length > 0) {
    return `protect lacks ${unprotected.join(', ')}: what the configuration protects, nobody else can take out.`;
  }
  if ((previous.fourEyes || configured.fourEyes) && !next.fourEyes) {
    return 'fourEyes cannot be taken back by one person; change the configuration.';
  }
  if (removesUnasked(next) && next.graceMs === 0 && !(removesUnasked(configured) && configured.graceMs === 0)) {
    return 'graceMs is 0 where the mode is auto-remove, so that nobody could step in; only the configuration can say that this is meant.';
  }
  return undefined;
}

function removesUnasked({ mode, modeByKind }: Policy): boolean {
  return [mode, ...Object.values(modeByKind)].includes('auto-remove');
}
