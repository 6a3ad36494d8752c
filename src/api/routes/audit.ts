import type { ApiDeps } from '../deps.ts';
import { AuditPage, auditQuery } from '../schemas/audit.ts';
import type { ApiServer } from '../server.ts';

/**
 * `GET /audit?after&before&limit&catalog`: who did what, when, to what and why; oldest first, after an entry's number. The feed
 * for other systems: numbers are given in the order in which entries were committed and never again, so that whoever asks
 * with the last number that he saw gets each entry once, however many write meanwhile. With `before` newest first. Problem: `ledger-unavailable`.
 */
export function auditRoutes(app: ApiServer, deps: ApiDeps): void {
  app.get(
    '/audit',
    {
      config: { action: 'read' },
      schema: { summary: 'The audit, oldest first', querystring: auditQuery, response: { 200: AuditPage } },
    },
    async ({ query }) => {
      const { before, after, ...rest } = query;
      const { audit } = deps.ledger;
      const entries = await (before === undefined ? audit.page({ ...rest, after }) : audit.latest({ ...rest, before }));
      const last = entries.length === query.limit ? entries.at(-1) : undefined;
      return { entries: [...entries], ...(last === undefined ? {} : { next: last.id }) };
    },
  );
}
