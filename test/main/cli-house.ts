import type { AddressInfo } from 'node:net';
import { type ApiHouse, openHouse } from '../api/api-house.ts';
import type { TestLedger } from '../support/ledger.ts';
import { type CliResult, runCli } from './run-cli.ts';

export interface CliHouse extends ApiHouse {
  readonly url: string;
  /** Runs a command line against this API. */
  cli(...args: readonly string[]): Promise<CliResult>;
}

/** The API over a test ledger, listening, with the command line in front of it. */
export async function openCliHouse(at: TestLedger): Promise<CliHouse> {
  const house = await openHouse(at, { loopbackOnly: true });
  await house.app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(house.app.server.address() as AddressInfo).port}`;
  return Object.assign(house, { url, cli: (...args: readonly string[]) => runCli(args, url) });
}
