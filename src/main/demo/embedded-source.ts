import { setTimeout as pause } from 'node:timers/promises';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import type { EmbeddedDatabase } from '../embedded-databases.ts';
import { SharedPGlite } from './shared-pglite.ts';

export const loopback = '127.0.0.1';

/** Four connections of a round, as many again while settings change, and room for people with psql. */
const maxConnections = 20;
/** Ctrl-C has 10 s for everything, and hanging up takes milliseconds. */
const hangUpWithinMs = 1_000;

/** A source of the demo that runs in this process. */
export interface EmbeddedSource {
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * One database of an embedded PostgreSQL in a folder of its own, which speaks the PostgreSQL protocol on loopback. Nobody
 * else may open the folder, this process included: the socket is its only door.
 *
 * @param wishedPort another one is taken where somebody listens there
 */
export async function startEmbeddedSource(
  { folder, database }: EmbeddedDatabase,
  wishedPort: number,
): Promise<EmbeddedSource> {
  const db = new SharedPGlite({ dataDir: folder, database });
  await db.waitReady;
  try {
    const server = await listen(db, wishedPort);
    return { port: portOf(server), stop: () => stop(server, db) };
  } catch (error) {
    await db.close();
    throw error;
  }
}

async function listen(db: SharedPGlite, port: number): Promise<PGLiteSocketServer> {
  const server = new PGLiteSocketServer({ db, host: loopback, port, maxConnections });
  try {
    await server.start();
    return server;
  } catch (error) {
    if (port === 0 || !(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    return listen(db, 0);
  }
}

function portOf(server: PGLiteSocketServer): number {
  return Number(server.getServerConn().split(':').at(-1));
}

async function stop(server: PGLiteSocketServer, db: SharedPGlite): Promise<void> {
  const over = new AbortController();
  try {
    // What was written is on disk already, so a client that does not hang up is not waited for.
    await Promise.race([server.stop(), pause(hangUpWithinMs, undefined, { signal: over.signal })]);
  } finally {
    over.abort();
  }
  await db.close();
}
