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
    .flatMap(({ instancePath, params, message }) => {
      const field = fieldName(where, instancePath);
      const unknown = unknownKeys(params);
      if (unknown === undefined) return [{ field, message: message ?? 'not as described' }];
      return unknown.map((key) => ({ field: `${field}.${key}`, message: 'unknown' }));
    })
    .slice(0, maxNamed);
}

function fieldName(where: string, instancePath: string): string {
  const steps = instancePath.split('/').filter((step) => step !== '');
  return steps.reduce((name, step) => (/^\d+$/.test(step) ? `${name}[${step}]` : `${name}.${step}`), where);
}

function unknownKeys(params: Record<string, unknown>): readonly string[] | undefined {
  const { keys } = params;
  return Array.isArray(keys) ? keys.map(String) : undefined;
}
