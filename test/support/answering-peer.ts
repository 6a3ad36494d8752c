import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that says the same to everybody, whatever is asked. */
export async function answeringPeer(status: number, body: string, headers: Readonly<Record<string, string>>) {
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/xml', ...headers }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
