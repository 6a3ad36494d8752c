import type { CatalogName } from '../../contract/names.ts';
import type { RestoreRecord } from '../../ledger/ledger.ts';
import { catalogKey, restoreAddress } from '../addresses.ts';
import { catalogToActOn, catalogToRead } from '../catalog-lookup.ts';
import { createdId } from '../created-id.ts';
import type { ApiDeps } from '../deps.ts';
import { clientGone } from '../plugins/client-gone.ts';
import { ApiProblem } from '../problems/api-problem.ts';
import { lookEveryMs, lookUntil, patience } from '../reconcile/patience.ts';
import { askAgainSeconds, preferredWaitMs } from '../reconcile/prefer.ts';
import { keyHeaders } from '../schemas/idempotency.ts';
import { preferHeader } from '../schemas/reconcile.ts';
import { RemovalDetail, RestoreBody, RestoreView } from '../schemas/restore.ts';
import { Id, catalogParams } from '../schemas/text.ts';
import type { ApiServer } from '../server.ts';
import { removalView } from '../views/removal-view.ts';
import { restoreView } from '../views/restore-view.ts';
import { wakeReview } from '../wake-review.ts';

const removalParams = catalogParams.extend({ removalId: Id });
const restoreParams = catalogParams.extend({ restoreId: Id });

/**
 * - `POST …/removals/{removalId}/restore`, body `{reason?}`, optional headers `Idempotency-Key` and `Prefer: wait=N`:
 *   registers again what the removal took, under the same ids, and keeps it for 7 days. 200 with what became of it
 *   (`restored`, or `refused` by the registry), or 202 with its address where it is on record and not carried out yet.
 * - `GET …/restores/{restoreId}`: what became of it.
 * - `GET …/removals/{removalId}`: one removal, and every wish to undo it.
 *
 * Problems: `no-such-removal`, `no-such-restore`, `cannot-be-undone`, `no-such-metalake`, `no-such-catalog`.
 */
export function restoreRoutes(app: ApiServer, deps: ApiDeps, over: AbortSignal): void {
  const { ledger, clock } = deps;
  const base = '/metalakes/:metalake/catalogs/:catalog';

  app.post(
    `${base}/removals/:removalId/restore`,
    {
      config: { action: 'decide', idempotency: 'repeatable', problems: ['no-such-removal', 'cannot-be-undone'] },
      schema: {
        summary: 'Undo a removal',
        params: removalParams,
        headers: keyHeaders.extend(preferHeader.shape),
        body: RestoreBody,
        response: { 200: RestoreView, 202: RestoreView },
      },
    },
    async ({ params, headers, body: { reason }, actor, log }, reply) => {
      const waiting = patience(preferredWaitMs(headers.prefer), AbortSignal.any([clientGone(reply), over]));
      await catalogToActOn(deps, params);
      const answer = await ledger.restores.request({
        id: createdId(params, headers['idempotency-key']),
        catalog: catalogKey(params),
        removal: params.removalId,
        actor,
        ...(reason === undefined ? {} : { reason }),
        canRestore: deps.registries(params.metalake)?.capabilities.restore === true,
        now: clock(),
      });
      if (answer.answer === 'refused') throw refused(params, answer);
      log.info({ actor, restore: answer.restore.id, removal: params.removalId }, 'restore');
      const settled = await outcomeOf(params, answer.restore, waiting, log);
      if (settled.state === 'settled') return restoreView(settled);
      reply.code(202).header('location', restoreAddress(params, settled.id)).header('retry-after', askAgainSeconds);
      return restoreView(settled);
    },
  );

  app.get(
    `${base}/restores/:restoreId`,
    {
      config: { action: 'read', problems: ['no-such-restore'] },
      schema: { summary: 'What became of a restore', params: restoreParams, response: { 200: RestoreView } },
    },
    async ({ params }) => {
      await catalogToRead(deps, params);
      const restore = await ledger.restores.restore(params.restoreId);
      if (restore === undefined || restore.catalog !== catalogKey(params)) {
        throw new ApiProblem('no-such-restore', `Catalog ${catalogKey(params)} has no restore ${params.restoreId}.`);
      }
      return restoreView(restore);
    },
  );

  app.get(
    `${base}/removals/:removalId`,
    {
      config: { action: 'read', problems: ['no-such-removal'] },
      schema: {
        summary: 'One removal, and every wish to undo it',
        params: removalParams,
        response: { 200: RemovalDetail },
      },
    },
    async ({ params }) => {
      await catalogToRead(deps, params);
      const removal = await ledger.removals.removal(params.removalId);
      if (removal === undefined || removal.catalog !== catalogKey(params)) throw noSuchRemoval(params);
      const restores = await ledger.restores.ofRemoval(removal.id);
      return { removal: removalView(removal), restores: restores.map(restoreView) };
    },
  );

  /** As it is when it was carried out, or when the wait is over. Where Temporal is away there is nothing to wait for. */
  async function outcomeOf(
    name: CatalogName,
    restore: RestoreRecord,
    waiting: Parameters<typeof lookUntil>[1],
    log: Parameters<typeof wakeReview>[3],
  ): Promise<RestoreRecord> {
    if (restore.state === 'settled' || !(await wakeReview(deps.gateway, name, 'restore', log))) return restore;
    const look = async () => {
      const seen = (await ledger.restores.restore(restore.id)) ?? restore;
      return { done: seen.state === 'settled', seen };
    };
    return lookUntil(look, waiting, deps.lookEveryMs ?? lookEveryMs);
  }
}

type RemovalParams = CatalogName & { readonly removalId: string };

function refused(
  params: RemovalParams,
  { reason, hint }: { readonly reason: string; readonly hint: string },
): ApiProblem {
  if (reason === 'no-such-removal') return noSuchRemoval(params);
  return new ApiProblem('cannot-be-undone', hint, { reason: { type: 'Restore', code: reason, message: hint } });
}

function noSuchRemoval(params: RemovalParams): ApiProblem {
  return new ApiProblem('no-such-removal', `Catalog ${catalogKey(params)} has no removal ${params.removalId}.`);
}
