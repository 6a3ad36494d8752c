import { execFile } from 'node:child_process';
import { chmod, chown } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ServerAccount } from './postgres-binaries.ts';

const run = promisify(execFile);

/** A key and a certificate that nobody else vouches for, made by the program `openssl`. */
export async function selfSigned(
  folder: string,
  commonName: string,
  owner: ServerAccount | undefined,
): Promise<{ readonly key: string; readonly certificate: string }> {
  const key = join(folder, 'server.key');
  const certificate = join(folder, 'server.crt');
  const request = 'req -new -x509 -days 2 -nodes -newkey ec -pkeyopt ec_paramgen_curve:prime256v1'.split(' ');
  const name = ['-subj', `/CN=${commonName}`, '-addext', `subjectAltName=DNS:${commonName}`];
  await run('openssl', [...request, ...name, '-keyout', key, '-out', certificate]);
  await chmod(key, 0o600); // the server refuses a key that others could read
  if (owner !== undefined) await chown(key, owner.uid, owner.gid);
  return { key, certificate };
}
