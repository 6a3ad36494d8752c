import type { TestProject } from 'vitest/node';
import { openDesk } from './temporal-desk.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where test files ask for the shared Temporal server; see temporal-server.ts. */
    temporalDesk: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const desk = await openDesk(async () => {
    const { startSharedDevServer } = await import('./shared-dev-server.ts'); // loads the SDK: only when asked
    return startSharedDevServer();
  });
  project.provide('temporalDesk', desk.url);
  return desk.close;
}
