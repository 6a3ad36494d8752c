import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import getPort from 'get-port';
import type { PostgresHost } from './postgres-world.ts';

/** A PostgreSQL inside this process, behind a port of loopback. It has one session, shared by all who connect. */
export async function pgliteHost(): Promise<PostgresHost & { readonly db: PGlite }> {
  const db = await PGlite.create();
  const port = await getPort({ host: '127.0.0.1' });
  const listen = async () => {
    const server = new PGLiteSocketServer({ db, port, host: '127.0.0.1', maxConnections: 32 });
    await server.start();
    return server;
  };
  let server = await listen();
  return {
    db,
    port,
    password: 'secret-of-the-test',
    sql: (text) => db.exec(text),
    breakDown: async () => {
      await server.stop();
      return async () => {
        server = await listen();
      };
    },
    close: async () => {
      await server.stop();
      await db.close();
    },
  };
}
