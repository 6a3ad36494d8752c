import { type Estate, openEstate } from './estate.ts';
import { startProduct, type Product } from './product.ts';
import { PostgresServer } from '../test/support/postgres-server.ts';

/** What measurements share, opened when the first one asks and ended in the opposite order. */
export class Workshop {
  readonly #opened: { close(): Promise<unknown> }[] = [];
  readonly #started = performance.now();
  #postgres: Promise<PostgresServer> | undefined;
  #estate: Promise<Estate> | undefined;
  #product: Promise<Product> | undefined;
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
