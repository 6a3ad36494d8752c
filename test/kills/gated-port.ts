import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A door before a server: while it is shut, connections stay open and nothing passes. */
export interface GatedPort {
  readonly port: number;
  shut(): void;
  open(): void;
  /** Questions that arrived while it was shut. */
  readonly waiting: () => number;
  close(): Promise<void>;
}

export async function gatedPort(target: number): Promise<GatedPort> {
  const sockets = new Set<Socket>();
  let held: (() => void)[] = [];
  let isShut = false;
  const server = createServer((from) => {
    const to = connect({ host: '127.0.0.1', port: target });
    for (const [socket, other] of [
      [from, to],
      [to, from],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    to.on('data', (data) => from.write(data));
    from.on('data', (data) => {
      const pass = (): void => void (to.destroyed || to.write(data));
      if (isShut) held.push(pass);
      else pass();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    shut: () => (isShut = true),
    open() {
      isShut = false;
      for (const pass of held) pass();
      held = [];
    },
    waiting: () => held.length,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
