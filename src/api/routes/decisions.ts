import { randomUUID } from 'node:crypto';
import { catalogAddress, catalogKey } from '../addresses.ts';
import { catalogToActOn, catalogToRead } from '../catalog-lookup.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiProblem } from '../problems/api-problem.ts';
import { DecideAnswered, DecideBody, DecideSent, DecisionList, decisionsQuery } from '../schemas/decision.ts';
import { checkSelection, decideInParts, selectionOf } from '../selected-decisions.ts';
import { keyHeaders } from '../schemas/idempotency.ts';
import { catalogParams } from '../schemas/text.ts';
import type { ApiServer } from '../server.ts';
import { decisionView } from '../views/decision-view.ts';

/**
 * A decision that no worker took up within ten minutes is not meant any more: who sent it has looked again by then, and
 * an answer of `too-late` is better than a removal that nobody expects.
 */
const meantForMs = 10 * 60_000;

/**
 * - `POST …/decisions`, body `{items: [{findingId, digest, action, keepUntil?}], reason?}` with up to 1,000 items and
 *   optional header `Idempotency-Key`: 200 with an answer per item (accepted, or refused with reason and hint), or 202
 *   where the decision was sent and its answer did not come in time; it may still be carried out. Sending it again with
 *   the same key decides nothing twice.
 * - the same with body `{filter: {kind?, verdict?, under?}, action, keepUntil?, count, digest, reason?}`: every finding that
 *   matches, up to 10,000, if count and digest are still those that `GET …/stale/selection` answered; else nothing is
 *   decided. Items whose part was not answered in time are `sent`.
 * - `GET …/decisions?finding&limit`: decisions on record, newest first.
 *
 * Problems: `no-such-metalake`, `no-such-catalog`, `invalid-request`, `decided-twice`, `selection-changed`, `selection-too-large`,
 * `temporal-unavailable` and `no-worker` (nothing was sent).
 */
export function decisionRoutes(app: ApiServer, deps: ApiDeps): void {
  const { gateway, ledger, clock } = deps;
  const url = '/metalakes/:metalake/catalogs/:catalog/decisions';

  app.post(
    url,
    {
      config: {
        action: 'decide',
        idempotency: 'repeatable',
        problems: ['decided-twice', 'selection-changed', 'selection-too-large', 'temporal-unavailable', 'no-worker'],
      },
      schema: {
        summary: 'Approve, reject, keep, accept or re-point findings',
        params: catalogParams,
        headers: keyHeaders,
        body: DecideBody,
        response: { 200: DecideAnswered, 202: DecideSent },
      },
    },
    async ({ params, headers, body, actor, log }, reply) => {
      await catalogToActOn(deps, params);
      const requestKey = headers['idempotency-key'] ?? randomUUID();
      reply.header('idempotency-key', requestKey);
      const meant = { actor, requestKey, notAfter: clock() + meantForMs };
      if ('filter' in body) {
        const { filter, action, reason } = body;
        const selection = await selectionOf(deps, params, action, filter, 'body.filter');
        checkSelection(selection, body);
        const keepUntil = body.action === 'keep' ? body.keepUntil : undefined;
        const of = { action, ...(keepUntil === undefined ? {} : { keepUntil }) };
        const answers = await decideInParts(gateway, params, {
          ...meant,
          items: selection.items.map((item) => ({ ...item, ...of })),
          ...(reason === undefined ? {} : { reason }),
        });
        log.info({ actor, requestKey, action, filter, items: answers.length }, 'decision');
        return { requestKey, answers: [...answers] };
      }
      refuseTwice(body.items);
      const sent = await gateway.decide(params, { ...body, ...meant });
      log.info({ actor, requestKey, items: body.items.length, status: sent.status }, 'decision');
      if (sent.status === 'answered') return { requestKey, answers: [...sent.result.answers] };
      const decisions = `${catalogAddress(params)}/decisions`;
      reply.code(202).header('location', decisions);
      return { requestKey, updateId: sent.updateId, decisions };
    },
  );

  app.get(
    url,
    {
      config: { action: 'read' },
      schema: {
        summary: 'Decisions on record, newest first',
        params: catalogParams,
        querystring: decisionsQuery,
        response: { 200: DecisionList },
      },
    },
    async ({ params, query }) => {
      await catalogToRead(deps, params);
      const decisions = await ledger.decisions.decisions(catalogKey(params), query, clock());
      return { decisions: decisions.map(decisionView) };
    },
  );
}

/** Which of two decisions on one finding is meant, nobody can tell. No JSON Schema can say so. */
function refuseTwice(items: readonly { readonly findingId: string }[]): void {
  const seen = new Set<string>();
  for (const { findingId } of items) {
    if (seen.has(findingId)) throw new ApiProblem('decided-twice', `Finding ${findingId} is named twice.`);
    seen.add(findingId);
  }
}
