import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { text } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storageAccess } from '../../../../src/registries/embedded/storage/storage.ts';

const keys = { accessKeyId: 'AKIA0', secretAccessKey: 'secret0', sessionToken: 'token0' };
const location = 's3://lake/managed/t1';

describe('credentials', () => {
  test('of local disk are none', async () => {
    expect(await storageAccess([]).vend('file:///srv/t1', 'READ_WRITE')).toEqual({ credential: { kind: 'none' } });
  });

  test('of a bucket without a role are its keys', async () => {
    const storage = storageAccess([{ name: 'lake', region: 'us-east-1', keys }]);
    expect(await storage.vend(location, 'READ')).toEqual({ credential: { kind: 's3', ...keys } });
  });

  test.each(['s3://pond/t1', 's3://lake2/t1', 'gs://lake/t1', 'abfss://lake@account/t1'])(
    'for %s are refused where nothing is configured for it',
    async (elsewhere) => {
      const storage = storageAccess([{ name: 'lake', region: 'us-east-1', keys }]);
      await expect(storage.vend(elsewhere, 'READ')).rejects.toMatchObject({ failure: 'InvalidArgument' });
    },
  );
});

describe('credentials of an assumed role', () => {
  const asked: URLSearchParams[] = [];
  let answer: { status: number; body: string };
  let server: Server;
  beforeAll(async () => {
    server = createServer((request: IncomingMessage, response) => {
      void text(request).then((body) => {
        asked.push(new URLSearchParams(body));
        response.writeHead(answer.status, { 'content-type': 'text/xml' }).end(answer.body);
      });
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  });
  afterAll(() => server.close());

  function bucket() {
    const stsEndpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const role = { arn: 'arn:aws:iam::123456789012:role/lake', externalId: 'x', sessionSecs: 900, stsEndpoint };
    return storageAccess([{ name: 'lake', region: 'us-east-1', keys, role }]);
  }

  test('are narrowed down to the folder and end in time', async () => {
    answer = {
      status: 200,
      body: `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>
        <AccessKeyId>ASIA1</AccessKeyId><SecretAccessKey>s1</SecretAccessKey><SessionToken>t1</SessionToken>
        <Expiration>2026-01-01T00:15:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`,
    };
    expect(await bucket().vend(location, 'READ')).toEqual({
      credential: { kind: 's3', accessKeyId: 'ASIA1', secretAccessKey: 's1', sessionToken: 't1' },
      expiresAtMs: BigInt(Date.UTC(2026, 0, 1, 0, 15)),
    });
    const request = Object.fromEntries(asked.at(-1) ?? []);
    expect(request).toMatchObject({
      Action: 'AssumeRole',
      RoleArn: 'arn:aws:iam::123456789012:role/lake',
      ExternalId: 'x',
      DurationSeconds: '900',
    });
    expect(request['Policy']).toContain('arn:aws:s3:::lake/managed/t1/*');
    expect(request['Policy']).not.toContain('s3:PutObject');
  });

  test('are refused with a code, and without a secret, where the role is', async () => {
    answer = {
      status: 403,
      body: `<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>secret0 no</Message></Error></ErrorResponse>`,
    };
    const failure = await bucket()
      .vend(location, 'READ_WRITE')
      .then(() => undefined)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ failure: 'Internal', message: expect.stringContaining('AccessDenied') });
    expect(String(failure)).not.toContain('secret0');
  });
});

describe('a file of the log', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reconciler-storage-'));
    await mkdir(join(folder, '_delta_log'));
    await writeFile(join(folder, '_delta_log', '1.json'), 'bytes');
  });
  afterAll(() => rm(folder, { recursive: true }));
  const read = (at: string, file: string) => text(Readable.from(storageAccess([]).read(at, file)));

  test('is read from local disk, and nothing stands for one that is not there', async () => {
    const at = pathToFileURL(folder).href;
    expect(await read(at, '_delta_log/1.json')).toBe('bytes');
    await expect(read(at, '_delta_log/2.json')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
