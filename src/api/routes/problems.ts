import { z } from 'zod';
import { problemTypes } from '../problems/problem-types.ts';
import type { ApiServer } from '../server.ts';

const Documented = z.object({
  type: z.string(),
  status: z.int(),
  title: z.string(),
  when: z.string(),
  mend: z.string(),
});

const documented = Object.entries(problemTypes).map(([name, rule]) => ({ type: `/api/problems/${name}`, ...rule }));

/** `GET /problems` and `GET /problems/{type}`: what each kind of error means and what to do about it. */
export function problemRoutes(app: ApiServer): void {
  app.get(
    '/problems',
    {
      config: { action: 'public' },
      schema: { summary: 'Every kind of error', response: { 200: z.object({ problems: z.array(Documented) }) } },
    },
    async () => ({ problems: documented }),
  );
  for (const problem of documented) {
    const name = problem.type.slice(problem.type.lastIndexOf('/') + 1);
    app.get(
      `/problems/${name}`,
      { config: { action: 'public' }, schema: { hide: true, response: { 200: Documented } } },
      async () => problem,
    );
  }
}
