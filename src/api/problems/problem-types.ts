/** One kind of error that the API answers with. */
export interface ProblemRule {
  readonly status: number;
  readonly title: string;
  /** In which case it is sent. */
  readonly when: string;
  /** What the caller can do. */
  readonly mend: string;
}

/**
 * The one table of problems (RFC 9457). `GET /api/problems` prints it; a problem's `type` is `/api/problems/<name>`.
 * Callers tell problems apart by `type`, so a name stays once it was released.
 */
export const problemTypes = {
  'invalid-request': {
    status: 400,
    title: 'The request does not fit its description',
    when: 'a field of the address, the query, the headers or the body is missing, unknown or out of bounds',
    mend: 'Correct the fields that `errors` names; GET /api/openapi.json describes them.',
  },
  'malformed-body': {
    status: 400,
    title: 'The body is not JSON',
    when: 'the body is empty although a type was announced, cut off, or not JSON',
    mend: 'Send a JSON object with Content-Type application/json.',
  },
  'malformed-address': {
    status: 400,
    title: 'The address cannot be read',
    when: 'a percent sign in the address does not begin an escape, or the request is not HTTP',
    mend: 'Encode each name of the address once, as encodeURIComponent does.',
  },
  unauthenticated: {
    status: 401,
    title: 'Who asks is not known',
    when: 'the API asks for a token, and the request carries none, or one that is unknown, expired or not meant for it',
    mend: 'Send `Authorization: Bearer TOKEN` with a token that is valid now; the command line takes it from RECONCILER_TOKEN.',
  },
  forbidden: {
    status: 403,
    title: 'This principal may not do that',
    when: 'neither a role of the principal nor the ownership of the catalog or its metalake allows what was asked',
    mend: 'Ask somebody who has one of the roles that `detail` names, or have the role or the ownership given to you.',
  },
  'foreign-origin': {
    status: 403,
    title: 'Another site may not act here',
    when: 'a browser sends a request that changes something on behalf of a page from elsewhere',
    mend: 'Use the command line, or the page that this API serves.',
  },
  'same-person': {
    status: 403,
    title: 'It takes another person',
    when: 'the policy asks for four eyes, and who requested the override tries to approve it',
    mend: 'Have somebody else look at what is held and approve it.',
  },
  'not-found': {
    status: 404,
    title: 'There is nothing at this address',
    when: 'no route has this method and path',
    mend: 'GET /api/openapi.json lists every route. Encode each name of the address once.',
  },
  'invalid-cursor': {
    status: 404,
    title: 'There is no such page',
    when: 'the cursor was changed, shortened, or comes from another list',
    mend: 'Pass `next` of the page before unchanged, or start without a cursor.',
  },
  'no-such-metalake': {
    status: 404,
    title: 'No such metalake',
    when: 'the configuration names no metalake so',
    mend: 'GET /api/overview lists metalakes and catalogs.',
  },
  'no-such-catalog': {
    status: 404,
    title: 'No such catalog',
    when: 'neither the registry nor the ledger knows the catalog',
    mend: 'GET /api/overview lists metalakes and catalogs.',
  },
  'no-such-finding': {
    status: 404,
    title: 'No such finding',
    when: 'the catalog has no finding of this id',
    mend: 'List the stale registrations of the catalog again.',
  },
  'no-such-keep': {
    status: 404,
    title: 'No such standing keep',
    when: 'the catalog has no standing keep of this id',
    mend: 'GET …/keeps lists them with their ids.',
  },
  'no-such-override': {
    status: 404,
    title: 'No such override',
    when: 'the catalog has no override of this id',
    mend: 'GET …/overrides lists them with their ids.',
  },
  'no-such-round': {
    status: 404,
    title: 'No such round',
    when: 'the catalog has no round of this id on record, and none runs',
    mend: 'A round just started is on record once a worker opened it: ask again, and see that a worker runs.',
  },
  'no-such-removal': {
    status: 404,
    title: 'No such removal',
    when: 'the catalog has no removal of this id on record',
    mend: 'List the removals of the catalog.',
  },
  'no-such-restore': {
    status: 404,
    title: 'No such restore',
    when: 'nobody asked for a restore of this id in the catalog',
    mend: 'Read the removal (GET …/removals/{removalId}): it lists its restores.',
  },
  'no-such-entity': {
    status: 404,
    title: 'The registry has no such entry',
    when: 'a container, table, view or attachment that the address names is not registered',
    mend: 'List what is registered there, then correct the address.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'The address does not know this method',
    when: 'the address is right, and nothing is done there by this method',
    mend: 'Use one of the methods that header Allow names.',
  },
  'request-timeout': {
    status: 408,
    title: 'The request took too long to arrive',
    when: 'headers or body were not complete in time',
    mend: 'Send the request again, in one go.',
  },
  'registry-refused': {
    status: 409,
    title: 'The registry refuses',
    when: 'the name is taken, the container is not empty, the version is another one, or the move makes no sense',
    mend: 'Look at the registration as it is now, then decide anew.',
  },
  'source-changed': {
    status: 409,
    title: 'Another source answers behind the catalog',
    when: 'the fingerprint of the source is not the one that earlier rounds saw',
    mend: 'Check the connection. If the new source is right, POST …/accept-source and run a round.',
  },
  'round-cancelled': {
    status: 409,
    title: 'The round was cancelled',
    when: 'somebody cancelled or terminated the round before it ended',
    mend: 'Start another one.',
  },
  'round-inconclusive': {
    status: 409,
    title: 'The round came to no conclusion',
    when: 'verdicts are asked of a round that was unreachable, incomplete, failed or cancelled',
    mend: 'Read the round for its reason, mend that, and run another one.',
  },
  'nothing-held': {
    status: 409,
    title: 'There is nothing to override',
    when: 'the catalog’s published round is not held, or holds no finding that could be removed',
    mend: 'Read the catalog at GET /api/overview: `hold` says whether and why it is held.',
  },
  'cannot-be-right': {
    status: 409,
    title: 'An input or a setting cannot be right',
    when: 'the request is well formed, yet what it names cannot be worked with as it is configured or registered',
    mend: 'Correct what `detail` names.',
  },
  'unusable-keep': {
    status: 409,
    title: 'The keep cannot stand',
    when: 'its pattern cannot be read, or its time is over already',
    mend: 'Correct what `detail` names; docs/configuration.md describes patterns.',
  },
  'unsafe-policy': {
    status: 409,
    title: 'The policy cannot be changed like that',
    when: 'a change would give up what the configuration guards: protection, four eyes, a grace before unattended removals; or holds a pattern that cannot be read',
    mend: 'Correct what `detail` names, or change the configuration and run `schedules apply`.',
  },
  'override-expired': {
    status: 409,
    title: 'The override is over',
    when: 'an override is approved after it expired',
    mend: 'Look at what is held now and request another one.',
  },
  'cannot-be-undone': {
    status: 409,
    title: 'The removal cannot be undone',
    when: 'nothing was removed, it was undone before, what was attached is no longer saved, the registry cannot, or the key was used for another removal',
    mend: 'Read the removal (GET …/removals/{removalId}); what cannot come back can be registered anew.',
  },
  'decided-twice': {
    status: 409,
    title: 'One finding is decided twice',
    when: 'two items of one request name the same finding; nothing was decided',
    mend: 'Name each finding once.',
  },
  'selection-changed': {
    status: 409,
    title: 'The selection is no longer what was seen',
    when: 'findings that match the filter were opened, closed, decided or changed since count and digest were read',
    mend: 'Look at them again (GET …/stale), read GET …/stale/selection, and send its count and digest.',
  },
  'selection-too-large': {
    status: 409,
    title: 'The selection is too large',
    when: 'more findings match the filter than one request decides',
    mend: 'Narrow the filter by kind, verdict or container, and decide on one part after the other.',
  },
  superseded: {
    status: 409,
    title: 'A newer round took over',
    when: 'a newer round of the same catalog closed this one',
    mend: 'Ask again: the newer round does the work.',
  },
  'idempotency-key-in-flight': {
    status: 409,
    title: 'The first request under this key is not answered yet',
    when: 'a request is sent again under its idempotency key while the first one is being carried out, or was broken off less than three minutes ago',
    mend: 'Send it again after Retry-After; it is answered as the first one was.',
  },
  'verdicts-gone': {
    status: 410,
    title: 'The verdicts of this round are no longer kept',
    when: 'a later round was published, after which single verdicts of older ones are deleted',
    mend: 'Read the findings (GET …/stale): they hold what was concluded. Or start a dry scan.',
  },
  'policy-moved-on': {
    status: 412,
    title: 'Another version of the policy is in force',
    when: 'the policy is changed on the ground of a version that was replaced meanwhile; nothing was changed',
    mend: 'Read it again (GET …/policy), and send the change with the ETag of that answer.',
  },
  'body-too-large': {
    status: 413,
    title: 'The body is too large',
    when: 'the body has more than 1 MiB',
    mend: 'Send fewer items at a time.',
  },
  'address-too-long': {
    status: 414,
    title: 'A name in the address is too long',
    when: 'one segment of the address is longer than any name may be',
    mend: 'Shorten it.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Only JSON is understood',
    when: 'Content-Type is not application/json',
    mend: 'Send JSON with Content-Type application/json.',
  },
  'host-not-local': {
    status: 421,
    title: 'This address is for this machine only',
    when: 'the API listens on loopback and the Host header names something else',
    mend: 'Use 127.0.0.1 or localhost.',
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'The idempotency key belongs to another request',
    when: 'a key comes again within 24 hours, in the same catalog, with another address, body or principal',
    mend: 'Take a new key for each request; send the old one only with the very same request.',
  },
  'not-for-this-registry': {
    status: 422,
    title: 'The registry cannot take this',
    when: 'a name that it cannot hold, or a secret in a place that everybody can read',
    mend: 'Correct what `detail` names.',
  },
  'too-many-requests': {
    status: 429,
    title: 'Too many requests',
    when: 'one principal, or one address where nobody is proved, sent more requests within a minute than server.requestsPerMinute',
    mend: 'Wait as long as Retry-After says. Lists take up to 500 rows a page, a decision up to 1,000 findings.',
  },
  'headers-too-large': {
    status: 431,
    title: 'The headers are too large',
    when: 'address and headers have more than 64 KiB',
    mend: 'Shorten the query, or send fewer headers.',
  },
  internal: {
    status: 500,
    title: 'Something broke on our side',
    when: 'anything that no other row describes, an answer that breaks its own description included',
    mend: 'Report it with the request id; the log has the rest.',
  },
  'source-failed': {
    status: 502,
    title: 'The source did not answer as it should',
    when: 'the source is unreachable, refuses our principal, or answers in a shape of its own',
    mend: 'Check that the source runs and that the catalog’s connection and principal are right.',
  },
  'registry-failed': {
    status: 502,
    title: 'The registry did not answer as it should',
    when: 'the registry is unreachable, refuses our principal, or answers in a shape of its own',
    mend: 'Check that the registry runs and that its address is right.',
  },
  'round-incomplete': {
    status: 502,
    title: 'The round could not see everything',
    when: 'registrations could not be listed completely or fewer answers than questions came back; nothing was judged',
    mend: 'Run it again. If it stays, look at `reason` and at the log of the round.',
  },
  'round-failed': {
    status: 502,
    title: 'The round failed',
    when: 'the round ended without a conclusion; nothing was judged',
    mend: 'Mend what `reason` names, then run it again.',
  },
  'temporal-unavailable': {
    status: 503,
    title: 'Temporal does not answer',
    when: 'the request needs a workflow, Temporal cannot be reached, and nothing was sent',
    mend: 'Bring Temporal back and send the request again; everything that only reads goes on working.',
  },
  'too-busy': {
    status: 503,
    title: 'Too much is being answered at once',
    when: 'as many requests as server.requestsInFlight allows are being answered or waiting; nothing was done',
    mend: 'Send it again in a moment, with fewer at a time or a shorter `Prefer: wait`.',
  },
  'no-worker': {
    status: 503,
    title: 'No worker runs',
    when: 'the request needs a worker, none asked Temporal for work within the last minutes, and nothing was sent',
    mend: 'Start a worker (`catalog-reconciler worker`) and send the request again; everything that only reads goes on working.',
  },
  'issuer-unavailable': {
    status: 503,
    title: 'The issuer of tokens does not answer',
    when: 'a signed token cannot be checked, because the keys of its issuer could not be read in time',
    mend: 'Bring the address in auth.jwt.jwksUrl back and send the request again; tokens of auth.tokens go on working.',
  },
  'ledger-unavailable': {
    status: 503,
    title: 'The ledger does not answer',
    when: 'our own database cannot be reached',
    mend: 'Bring the ledger’s database back; work goes on by itself.',
  },
  'shutting-down': {
    status: 503,
    title: 'The API is shutting down',
    when: 'the request arrived while the process ends',
    mend: 'Send it again in a moment.',
  },
} as const satisfies Record<string, ProblemRule>;

export type ProblemType = keyof typeof problemTypes;
