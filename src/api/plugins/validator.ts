import { validatorCompiler } from 'fastify-type-provider-zod';

/** Validates with zod. A body that was not sent reaches validators as `null`; to a schema it is simply missing. */
export const compileValidator: typeof validatorCompiler = (route) => {
  const validate = validatorCompiler(route);
  return route.httpPart === 'body' ? (data: unknown) => validate(data ?? undefined) : validate;
};
