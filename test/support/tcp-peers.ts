import { createConnection, createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import getPort from 'get-port';

/** Something on a port of loopback that is not what a client hopes for. */
export interface Peer {
  readonly host: '127.0.0.1';
  readonly port: number;
  /** Connections that are open now; a client that gave up must leave none. */
  readonly open: () => number;
  /** Connections since the start. */
  readonly accepted: () => number;
  readonly close: () => Promise<void>;
}

/** Accepts and never says a word. */
export function silentPeer(): Promise<Peer> {
  return peer(() => {});
}

/** Accepts and hangs up. */
export function closingPeer(): Promise<Peer> {
  return peer((socket) => socket.end());
}

/** Accepts and drops the connection, as a firewall does. */
export function resettingPeer(): Promise<Peer> {
  return peer((socket) => socket.resetAndDestroy());
}

/** Takes whatever comes for an HTTP request, and keeps the connection open as HTTP does. */
export function httpPeer(): Promise<Peer> {
  const body = '<html><body>400 Bad Request</body></html>';
  const answer =
    'HTTP/1.1 400 Bad Request\r\nServer: proxy\r\nContent-Type: text/html\r\n' +
    `Content-Length: ${body.length}\r\n\r\n${body}`;
  return peer((socket) => socket.once('data', () => socket.write(answer)));
}

/** A port on which nobody listens. */
export async function refusingPort(): Promise<number> {
  return getPort({ host: '127.0.0.1' });
}

/** Passes everything on to a real server, until it has passed `bytes` of its answers: then both ends are dropped. */
export function cuttingProxy(port: number, bytes: number): Promise<Peer> {
  return peer((socket) => {
    let left = bytes;
    const server = createConnection({ host: '127.0.0.1', port });
    const cut = () => {
      server.destroy();
      socket.destroy();
    };
    server.on('error', cut);
    server.on('close', cut);
    socket.on('close', cut);
    socket.pipe(server);
    server.on('data', (chunk) => {
      const passed = chunk.subarray(0, left);
      left -= passed.length;
      if (left === 0) socket.write(passed, cut);
      else socket.write(passed);
    });
  });
}

async function peer(greet: (socket: Socket) => void): Promise<Peer> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  const server: Server = createServer((socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on('error', () => {}); // clients that give up may reset
    socket.on('close', () => sockets.delete(socket));
    greet(socket);
    socket.resume(); // or the end of the other side would never be noticed
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    open: () => sockets.size,
    accepted: () => accepted,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
