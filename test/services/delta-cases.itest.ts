import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import { deltaCases } from '../delta/cases/delta-cases.ts';
import { openEmbeddedServer } from '../support/delta/embedded-server.ts';
import { PostgresServer } from '../support/postgres-server.ts';

let postgres: PostgresServer;
let databases = 0;
beforeAll(async () => {
  postgres = await PostgresServer.start();
});
afterAll(() => postgres?.close());

deltaCases('the embedded registry, on PostgreSQL', async (options) => {
  databases += 1;
  await postgres.sql(`create database cases${databases}`);
  const folder = await mkdtemp(join(tmpdir(), 'catalog-reconciler-'));
  const url = postgres.url(`cases${databases}`);
  const server = await openEmbeddedServer(pathToFileURL(folder).href, { ...options, url });
  return {
    ...server,
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
});
