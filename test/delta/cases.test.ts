import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openMemoryServer } from '../support/delta/memory-server.ts';
import { deltaCases } from './cases/delta-cases.ts';

deltaCases('the backend in memory', async (options) => {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-reconciler-'));
  const server = await openMemoryServer(pathToFileURL(folder).href, options);
  return {
    ...server,
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
});
