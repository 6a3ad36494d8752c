import getPort from 'get-port';
import type { ApiServer } from '../api/server.ts';

/** Somebody else listens there, and no other port was allowed. */
export class PortTaken extends Error {
  override readonly name = 'PortTaken';
}

/**
 * Listens on the wished port, or says that it is taken and, where that is allowed, takes another one.
 *
 * @returns the address as a URL
 */
export async function listen(
  app: ApiServer,
  { host, port }: { readonly host: string; readonly port: number },
  options: { readonly elsewhere: boolean; readonly tell: (line: string) => void },
): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (error) {
    if (!isTaken(error)) throw error;
    const taken = `Port ${port} on ${host} is taken by another process.`;
    if (!options.elsewhere) throw new PortTaken(`${taken} Stop it, or set server.port (or --port) to another one.`);
    const other = await getPort({ host });
    options.tell(`${taken} The API listens on port ${other} instead.`);
    return app.listen({ host, port: other });
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}
