import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openEmbeddedServer } from '../support/delta/embedded-server.ts';
import { deltaCases } from './cases/delta-cases.ts';

deltaCases('the embedded registry', async (options) => {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-reconciler-'));
  const server = await openEmbeddedServer(pathToFileURL(folder).href, options);
  return {
    ...server,
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
});
