import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import type { FieldError } from './api-problem.ts';

/** At most so many are named: a body of a thousand wrong items says the same thing a thousand times. */
const maxNamed = 20;

const wordOf: Readonly<Record<string, string>> = {
  body: 'body',
  querystring: 'query',
  params: 'address',
  headers: 'header',
};

/** The fields that a refused request got wrong; `undefined` where the error is about something else. */
export function invalidFields(error: unknown): readonly FieldError[] | undefined {
  if (!hasZodFastifySchemaValidationErrors(error)) return undefined;
  const where = wordOf[error.validationContext ?? ''] ?? 'request';
  return error.validation
    .flatMap(({ instancePath, params, message }) =>
      told({ instancePath, params, message: message ?? 'not as described' }),
    )
    .map(({ field, message }) => ({ field: fieldName(where, field), message }))
    .slice(0, maxNamed);
}

interface Issue {
  readonly instancePath: string;
  readonly params: Record<string, unknown>;
  readonly message: string;
}

function told({ instancePath, params, message }: Issue): readonly FieldError[] {
  const unknown = unknownKeys(params);
  if (unknown !== undefined) return unknown.map((key) => ({ field: `${instancePath}/${key}`, message: 'unknown' }));
  const nearest = nearestForm(params);
  if (nearest === undefined) return [{ field: instancePath, message }];
  return nearest.flatMap((issue) =>
    told({ instancePath: [instancePath, ...issue.path].join('/'), params: issue, message: issue.message }),
  );
}

interface FormIssue extends Record<string, unknown> {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Of a value that may have several forms, what is wrong with it as the one that it comes nearest to at first sight. */
function nearestForm(params: Record<string, unknown>): readonly FormIssue[] | undefined {
  const { errors } = params;
  if (!Array.isArray(errors)) return undefined;
  const forms = errors as readonly (readonly FormIssue[])[];
  const outside = (form: readonly FormIssue[]) => form.filter(({ path }) => path.length < 2).length;
  return [...forms].sort((a, b) => outside(a) - outside(b) || a.length - b.length)[0];
}

function fieldName(where: string, instancePath: string): string {
  const steps = instancePath.split('/').filter((step) => step !== '');
  return steps.reduce((name, step) => (/^\d+$/.test(step) ? `${name}[${step}]` : `${name}.${step}`), where);
}

function unknownKeys(params: Record<string, unknown>): readonly string[] | undefined {
  const { keys } = params;
  return Array.isArray(keys) ? keys.map(String) : undefined;
}
