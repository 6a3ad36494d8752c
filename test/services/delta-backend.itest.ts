import { afterAll, beforeAll } from 'vitest';
import { backendContract } from '../delta/backend-contract.ts';
import { openLakeBench } from '../registries/embedded/lake/lake-bench.ts';
import { PostgresServer } from '../support/postgres-server.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(() => server?.close());

backendContract('the embedded registry, on PostgreSQL', async () => {
  await server.sql('create database lake');
  return openLakeBench({ url: server.url('lake') });
});
