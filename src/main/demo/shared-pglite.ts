import { PGlite } from '@electric-sql/pglite';

type StreamOptions = Parameters<PGlite['execProtocolRawStream']>[1];

/** `ReadyForQuery`: its type, its length of 5, and then the state of the transaction. */
const readyForQuery = [0x5a, 0, 0, 0, 5];
const readyLength = readyForQuery.length + 1;
const terminate = 0x58;
/** `Sync`: ends whatever a client had begun. */
const sync = new Uint8Array([0x53, 0, 0, 0, 4]);

/**
 * An embedded PostgreSQL that several socket clients can share. It has one session, and the socket server hands it one
 * protocol message at a time. A question with parameters takes five of them, and another client's question in between
 * gets its answers mixed up with this one's, without an error. The server does keep its turn for a client whose
 * transaction is open; so it is told the same of a question whose answer is not complete.
 */
export class SharedPGlite extends PGlite {
  #answering = false;

  override isInTransaction(): boolean {
    return this.#answering || super.isInTransaction();
  }

  override async execProtocolRawStream(message: Uint8Array, options: StreamOptions): Promise<void> {
    let tail: readonly number[] = [];
    await super.execProtocolRawStream(message, {
      ...options,
      onRawData: (data) => {
        // The last bytes may come in a piece of their own.
        tail = [...tail, ...data.slice(-readyLength)].slice(-readyLength);
        options.onRawData(data);
      },
    });
    const ready = readyForQuery.every((byte, index) => tail[index] === byte);
    this.#answering = !ready && message[0] !== terminate;
  }

  /** The server calls this for a client that left while it had the turn. */
  override async exec(...statement: Parameters<PGlite['exec']>): ReturnType<PGlite['exec']> {
    if (this.#answering) {
      // After a failed message PostgreSQL ignores everything up to the next Sync, which will not come any more.
      await this.runExclusive(() => this.execProtocolRawStream(sync, { onRawData: () => undefined }));
      this.#answering = false;
    }
    return super.exec(...statement);
  }
}
