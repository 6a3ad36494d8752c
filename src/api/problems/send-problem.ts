import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiProblem, problemBody } from './api-problem.ts';
import { classifyError } from './classify-error.ts';
import { type ProblemType, problemTypes } from './problem-types.ts';
import { problemsOf } from './route-problems.ts';

const contentType = 'application/problem+json; charset=utf-8';

/** The one error handler: every error of the API leaves through here. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const problem = classifyError(error);
  const body = problemBody(problem, request.id);
  tell(problem, body.status, request);
  if (problem.parts.retryAfterSeconds !== undefined) reply.header('retry-after', problem.parts.retryAfterSeconds);
  // a text, so that the route's own response schema does not try to make something else of it
  reply.code(body.status).header('x-request-id', request.id).type(contentType).send(JSON.stringify(body));
}

export function sendNotFound(request: FastifyRequest, reply: FastifyReply): void {
  sendProblem(new ApiProblem('not-found', `There is no ${request.method} ${shownPath(request.url)}.`), request, reply);
}

/** Answers a request that never became one, on the bare socket. */
export function refuseSocket(error: Error, socket: Socket): void {
  if (!socket.writable || ('code' in error && error.code === 'ECONNRESET')) {
    socket.destroy();
    return;
  }
  const problem = socketProblem(error);
  const { status } = problemTypes[problem.type];
  const body = JSON.stringify(problemBody(problem, 'none'));
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Connection: close',
      `Content-Type: ${contentType}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  );
}

const ofSocket: Readonly<Record<string, readonly [ProblemType, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['request-timeout', 'The request was not complete in time.'],
  HPE_HEADER_OVERFLOW: ['headers-too-large', 'Address and headers have more than 64 KiB.'],
};

function socketProblem(error: Error): ApiProblem {
  const [type, detail] = ofSocket['code' in error ? String(error.code) : ''] ?? [
    'malformed-address',
    'What arrived is not an HTTP request.',
  ];
  return new ApiProblem(type, detail, { cause: error });
}

/** ERROR is our fault, WARN is worth a look in the morning, the rest is the caller's business. */
function tell(problem: ApiProblem, status: number, request: FastifyRequest): void {
  const line = { problem: problem.type, status, err: problem.parts.cause ?? problem };
  if (status === 500) request.log.error(line, 'request failed');
  else if (status > 500) request.log.warn(line, 'request could not be served');
  else request.log.debug({ problem: problem.type, status }, 'request refused');
  if (!isDocumented(problem.type, request)) request.log.error({ problem: problem.type }, 'undocumented problem');
}

/** Whether the OpenAPI document lists the problem for this route; what no route took up is not in it. */
function isDocumented(type: ProblemType, { routeOptions }: FastifyRequest): boolean {
  const { method, url, schema, config } = routeOptions;
  if (url === undefined || schema === undefined || schema.hide === true) return true;
  const { action, problems = [], idempotency } = config;
  return problemsOf({ action, method, url, schema, problems, keyed: idempotency !== undefined }).has(type);
}

/** Without the query, and short: it is echoed to whoever sent it. */
export function shownPath(url: string): string {
  return (url.split('?')[0] ?? '').slice(0, 200);
}
