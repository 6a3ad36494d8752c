import type { z } from 'zod';
import type { CatalogLedger } from '../../ledger/ledger.ts';
import type { PolicyView } from '../schemas/catalog.ts';

type PolicyInForce = Awaited<ReturnType<CatalogLedger['policy']>>;

export function policyView({ version, intervalMs, policy }: PolicyInForce): z.infer<typeof PolicyView> {
  const { include, exclude, protect } = policy;
  return {
    version,
    intervalMs,
    policy: { ...policy, include: [...include], exclude: [...exclude], protect: [...protect] },
  };
}
