import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Where connections lead; a function where the server may come back on another port. */
type Target = number | (() => number);

/** A connection that stands still because of what it was about to say, or to hear. */
export interface Held {
  /** Whether a connection has met it. */
  readonly isMet: () => boolean;
  /** Lets go on whoever was held, and holds nobody any more. */
  release(): void;
}

/** What must go by on one connection, in this order, until it is held at the last. */
export type Passing = readonly ((data: string) => boolean)[];

/**
 * A cable between a client and a server on loopback, in the hands of a test: it passes everything, is cut (both ends are
 * dropped and new ones refused), stalls (connections are taken, nothing passes), and can hold the one connection on which
 * certain words go by. Where servers read a protocol, this reads bytes as text: enough to know a statement by.
 */
export class TcpProxy {
  readonly host = '127.0.0.1';
  readonly #target: () => number;
  readonly #server: Server;
  readonly #links = new Set<Link>();
  readonly #watches = new Set<Watch>();
  #state: 'passing' | 'stalled' | 'cut' = 'passing';
  #refused = 0;
  #bytesLeft = Infinity;

  private constructor(target: Target) {
    this.#target = typeof target === 'number' ? () => target : target;
    this.#server = createServer((client) => this.#accept(client));
  }

  static async before(target: Target): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    proxy.#server.listen(0, proxy.host);
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Connections that are open now. */
  get open(): number {
    return this.#links.size;
  }

  /** Connections that were turned away since it was cut. */
  get refused(): number {
    return this.#refused;
  }

  cut(): void {
    this.#state = 'cut';
    this.#refused = 0;
    for (const link of this.#links) link.end();
  }

  stall(): void {
    if (this.#state === 'passing') this.#state = 'stalled';
  }

  /** Whatever was done to it before: it passes again, first what has stood still. */
  restore(): void {
    this.#state = 'passing';
    this.#bytesLeft = Infinity;
    for (const link of this.#links) link.flush();
  }

  /** Cuts once it has passed so many more bytes of the server's answers. */
  cutAfter(bytes: number): void {
    this.#bytesLeft = bytes;
  }

  /**
   * Holds the first connection on which the client sends all this in turn.
   * @param at before the last of it reaches the server, or before the answer to it reaches the client
   */
  hold(passing: Passing, at: 'question' | 'answer' = 'question'): Held {
    const watch = new Watch(passing, at);
    this.#watches.add(watch);
    return {
      isMet: () => watch.link !== undefined,
      release: () => {
        this.#watches.delete(watch);
        const { link } = watch;
        if (link?.heldBy !== watch) return;
        link.heldBy = undefined;
        link.flush();
      },
    };
  }

  async close(): Promise<void> {
    for (const link of this.#links) link.end();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(client: Socket): void {
    if (this.#state === 'cut') {
      this.#refused += 1;
      client.resetAndDestroy();
      return;
    }
    const link = new Link(client, connect({ host: this.host, port: this.#target() }), {
      mayPass: () => this.#state === 'passing',
      sent: (text) => {
        for (const watch of this.#watches) watch.see(link, text);
      },
      room: (bytes) => {
        const passed = Math.min(bytes, this.#bytesLeft);
        this.#bytesLeft -= passed;
        return passed;
      },
      cut: () => this.cut(),
      gone: () => void this.#links.delete(link),
    });
    this.#links.add(link);
  }
}

/** Looks for its words on every connection, until one has said all of them. */
class Watch {
  readonly #passing: Passing;
  readonly at: 'question' | 'answer';
  readonly #seen = new WeakMap<Link, number>();
  link: Link | undefined;

  constructor(passing: Passing, at: 'question' | 'answer') {
    this.#passing = passing;
    this.at = at;
  }

  see(link: Link, text: string): void {
    if (this.link !== undefined) return;
    const seen = this.#seen.get(link) ?? 0;
    if (this.#passing[seen]?.(text) !== true) return;
    this.#seen.set(link, seen + 1);
    if (seen + 1 < this.#passing.length) return;
    this.link = link;
    link.heldBy = this;
  }
}

interface Surroundings {
  mayPass(): boolean;
  sent(text: string): void;
  /** How many of so many bytes of an answer may pass. */
  room(bytes: number): number;
  cut(): void;
  gone(): void;
}

/** One connection with its two ends. */
class Link {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #around: Surroundings;
  #questions: Buffer[] = [];
  #answers: Buffer[] = [];
  heldBy: Watch | undefined;

  constructor(client: Socket, server: Socket, around: Surroundings) {
    this.#client = client;
    this.#server = server;
    this.#around = around;
    client.setNoDelay(true);
    server.setNoDelay(true);
    for (const socket of [client, server]) {
      socket.on('error', () => {}); // 'close' follows
      socket.on('close', () => this.end());
    }
    client.on('data', (data) => {
      around.sent(data.toString('latin1'));
      this.#questions.push(data);
      this.flush();
    });
    server.on('data', (data) => {
      this.#answers.push(data);
      this.flush();
    });
  }

  /** Passes on whatever may pass now. */
  flush(): void {
    if (!this.#around.mayPass()) return;
    if (this.heldBy?.at !== 'question') {
      for (const data of this.#questions.splice(0)) this.#server.write(data);
    }
    if (this.heldBy !== undefined) return;
    for (const data of this.#answers.splice(0)) {
      const passed = this.#around.room(data.length);
      this.#client.write(data.subarray(0, passed));
      if (passed < data.length) return this.#around.cut();
    }
  }

  end(): void {
    this.#client.destroy();
    this.#server.destroy();
    this.#around.gone();
  }
}
