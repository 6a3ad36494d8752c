import { isIPv4 } from 'node:net';

/** Whether only this machine can reach what listens at the host. A name that merely begins like an address may lead anywhere. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}
