import { z } from 'zod';
import { type ProblemRule, type ProblemType, problemTypes } from './problem-types.ts';

/** One field that a request got wrong: `body.items[3].digest`. */
export const FieldError = z.object({ field: z.string(), message: z.string() });
export type FieldError = z.infer<typeof FieldError>;

/** Every error of the API, as `application/problem+json`. */
export const Problem = z
  .object({
    type: z.string().meta({ description: 'Which row of GET /api/problems.' }),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    mend: z.string().meta({ description: 'What the caller can do.' }),
    requestId: z.string(),
    errors: z.array(FieldError).exactOptional(),
    reason: z
      .object({ type: z.string(), code: z.string(), message: z.string() })
      .exactOptional()
      .meta({ description: 'What stood behind it, by our own failure type and the code of whoever answered.' }),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof Problem>;

/** What a problem may say beside its detail. */
export interface ProblemParts {
  readonly errors?: readonly FieldError[];
  readonly reason?: { readonly type: string; readonly code: string; readonly message: string };
  /** Replaces the table's advice where a better one is known. */
  readonly mend?: string;
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** An error that already knows how it is told. Its detail is shown to callers: no secrets, nothing internal. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly type: ProblemType;
  readonly parts: ProblemParts;

  constructor(type: ProblemType, detail: string, parts: ProblemParts = {}) {
    super(detail, parts.cause === undefined ? undefined : { cause: parts.cause });
    this.type = type;
    this.parts = parts;
  }
}

export function problemBody({ type, message, parts }: ApiProblem, requestId: string): Problem {
  const rule: ProblemRule = problemTypes[type];
  return {
    type: `/api/problems/${type}`,
    title: rule.title,
    status: rule.status,
    detail: message,
    mend: parts.mend ?? rule.mend,
    requestId,
    ...(parts.errors === undefined ? {} : { errors: [...parts.errors] }),
    ...(parts.reason === undefined ? {} : { reason: parts.reason }),
  };
}
