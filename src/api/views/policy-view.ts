import type { PolicyVersion } from '../../ledger/ledger.ts';
import type { PolicyVersionView, PolicyView } from '../schemas/policy.ts';

type InForce = Pick<PolicyVersion, 'version' | 'intervalMs' | 'policy' | 'changedOverApi'>;

export function policyView({ version, intervalMs, policy, changedOverApi }: InForce): PolicyView {
  const { include, exclude, protect } = policy;
  return {
    version,
    intervalMs,
    source: version === 0 ? 'default' : changedOverApi ? 'api' : 'configuration',
    policy: { ...policy, include: [...include], exclude: [...exclude], protect: [...protect] },
  };
}

export function policyVersionView(version: PolicyVersion): PolicyVersionView {
  const { at, actor, reason, changes } = version;
  return { ...policyView(version), at, actor, ...(reason === undefined ? {} : { reason }), changes };
}
