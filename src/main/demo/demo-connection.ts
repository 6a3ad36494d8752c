import pg from 'pg';

/** How to reach a source, in the form in which the registry keeps it. */
export interface DemoConnection {
  /** As the PostgreSQL source reads them: host, port, database, user, sslmode. */
  readonly settings: Readonly<Record<string, string>>;
  readonly secrets: { readonly password?: string };
}

const connectTimeoutMs = 10_000;
/** All of a catalog's objects are made in about a second; a database that takes longer has a lock in the way. */
const statementsTimeoutMs = 60_000;

/** Runs statements in one transaction: all of them happen or none. */
export async function runStatements(connection: DemoConnection, statements: string): Promise<void> {
  await withClient(connection, async (client) => {
    // One message of several statements is one transaction, on a real server and on an embedded one.
    await client.query(statements);
  });
}

/** Lends a connection of its own for as long as the work takes. */
export async function withClient<T>(
  { settings, secrets }: DemoConnection,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const { host, port, database, user, sslmode = 'disable' } = settings;
  const client = new pg.Client({
    host,
    database,
    user,
    port: Number(port),
    ...secrets,
    ssl: sslmode === 'disable' ? false : { rejectUnauthorized: sslmode.startsWith('verify') },
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: statementsTimeoutMs,
    application_name: 'catalog-reconciler demo',
  });
  client.on('error', () => undefined); // a lost connection fails the query that runs; otherwise there is none to fail
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
