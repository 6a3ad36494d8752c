import { type Estate, ledgerDatabase, openEstate } from './estate.ts';
import { startProduct, type Product } from './product.ts';
import { PostgresServer } from '../test/support/postgres-server.ts';

export interface MillionStale {
  /** The catalog's address at the API. */
  readonly address: string;
  readonly count: number;
}

/** What measurements share, opened when the first one asks and ended in the opposite order. */
export class Workshop {
  readonly #opened: { close(): Promise<unknown> }[] = [];
  readonly #started = performance.now();
  #postgres: Promise<PostgresServer> | undefined;
  #estate: Promise<Estate> | undefined;
  #product: Promise<Product> | undefined;
  #millionStale: Promise<MillionStale> | undefined;
  #closing: Promise<void> | undefined;

  /** A line of progress, apart from the results. */
  tell(line: string): void {
    const seconds = Math.round((performance.now() - this.#started) / 1_000);
    process.stderr.write(`${String(seconds).padStart(4)} s  ${line}\n`);
  }

  /** Has it ended with everything else. */
  async keep<T extends { close(): Promise<unknown> }>(opening: T | Promise<T>): Promise<T> {
    const opened = await opening;
    this.#opened.push(opened);
    return opened;
  }

  postgres(): Promise<PostgresServer> {
    this.#postgres ??= this.keep(
      PostgresServer.start({
        max_locks_per_transaction: '4096', // 2,000 tables are created in one transaction
        max_connections: '1000', // a hundred catalogs have a few sessions each at their one source
        shared_buffers: '512MB', // the catalog of 100,000 tables and a round's rows stay in memory, for both sides
        max_wal_size: '4GB', // no checkpoint in the middle of the one and not of the other
      }),
    );
    return this.#postgres;
  }

  /** The source of 100,000 tables and its registrations, which take a while. */
  estate(): Promise<Estate> {
    this.#estate ??= this.postgres().then((postgres) => this.keep(openEstate(postgres, (line) => this.tell(line))));
    return this.#estate;
  }

  /** The worker that the figures of a large round share. */
  product(): Promise<Product> {
    this.#product ??= this.estate().then((estate) => this.keep(startProduct(estate)));
    return this.#product;
  }

  /** A million registrations whose objects are gone, found by a round, and where the API shows them. */
  millionStale(): Promise<MillionStale> {
    this.#millionStale ??= this.#findMillion();
    return this.#millionStale;
  }

  async #findMillion(): Promise<MillionStale> {
    const estate = await this.estate();
    const { postgres } = estate;
    const product = await this.product();
    const name = await estate.million();
    await product.round(name);
    this.tell('dropping all but one view of each schema, and a round that finds it');
    await postgres.sql(
      `set allow_system_table_mods = on; delete from pg_catalog.pg_class where relname ~ '^v' and relname <> 'v1' and oid > 100000000`,
      'million',
    );
    await product.round(name);
    // what autovacuum does within minutes of such a change; pages are asked for long after it, and not beside it
    await postgres.sql('vacuum (analyze)', ledgerDatabase);
    const [counted] = await postgres.sql(
      `select count(*)::int as count from findings where catalog = 'bench/million' and state = 'open'`,
      ledgerDatabase,
    );
    const path = `metalakes/${name.metalake}/catalogs/${name.catalog}`;
    return { address: `${await product.api()}/api/${path}`, count: Number(counted?.['count']) };
  }

  /** May be called again, as when a measurement is interrupted and fails of it. */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    for (let last = this.#opened.pop(); last !== undefined; last = this.#opened.pop()) {
      // One that does not end in order must not keep the others from ending.
      await last.close().catch((error: unknown) => this.tell(`not ended in order: ${String(error)}`));
    }
  }
}
