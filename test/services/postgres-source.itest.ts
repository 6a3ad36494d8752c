import { sourceContract } from '../sources/source-contract.ts';
import { postgresWorld } from '../sources/postgres/postgres-world.ts';
import { PostgresServer } from '../support/postgres-server.ts';

sourceContract('PostgreSQL', async () => {
  const server = await PostgresServer.start();
  return postgresWorld({
    port: server.port,
    password: server.password,
    sql: (text) => server.sql(text),
    breakDown: async () => {
      await server.stop('fast');
      return () => server.start();
    },
    close: () => server.close(),
  });
});
