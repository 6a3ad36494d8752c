import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { audience, issuer, keyServer, signed, signingKey } from '../api/credentials/issuer.ts';
import { startCli, startUp } from '../kills/cli-process.ts';
import { withTemporalCli } from '../support/own-dev-server.ts';
import { scratchFolder } from '../support/scratch.ts';
import { selfSigned } from '../support/self-signed.ts';

withTemporalCli();

const patienceMs = 90_000;
const token = 'a-token-of-this-test-0123456789';

test('over TLS, a token of the file and a signed one let in whom they should, and a rotated key needs no new start', {
  timeout: 240_000,
}, async () => {
  const folder = await scratchFolder();
  const { certificate, key: certificateKey } = await selfSigned(folder, 'localhost', undefined);
  const [first, second] = await Promise.all([signingKey('first'), signingKey('second')]);
  const keys = await keyServer([first.published]);
  onTestFinished(keys.close);
  const config = join(folder, 'reconciler.yaml');
  await writeFile(
    config,
    `
server: {host: 0.0.0.0, tls: {certFile: ${certificate}, keyFile: ${certificateKey}}}
auth:
  tokens: [{name: ci, token: {env: CI_TOKEN}, roles: [operator]}]
  jwt: {issuer: "${issuer}", audience: ${audience}, jwksUrl: "${keys.url}"}
metalakes:
  lake:
    owner: lena
    catalogs:
      sales:
        provider: postgresql
        owner: ada
        connection: {host: 127.0.0.1, port: 1, database: sales, user: reader}
`,
  );
  const data = join(folder, 'data');
  const up = startUp(data, ['--config', config], { CI_TOKEN: token });
  const port = await up.says(/API +https:\/\/\S+:(\d+)/, patienceMs);
  expect(up.output()).toContain('The demo is left out');
  expect(up.output()).not.toContain('No credential is configured');

  const trusts = { NODE_EXTRA_CA_CERTS: certificate, RECONCILER_API: `https://localhost:${port}` };
  const asked = async (env: Record<string, string>, ...args: readonly string[]) => {
    const cli = startCli(args, env);
    const code = await cli.exitCode(patienceMs);
    return { code, said: cli.output() };
  };
  const as = (bearer: string) => ({ ...trusts, RECONCILER_TOKEN: bearer });

  expect(await asked(as(token), 'catalogs')).toMatchObject({ code: 0, said: expect.stringContaining('lake/sales') });
  expect(await asked(trusts, 'catalogs')).toMatchObject({ code: 4 });
  expect(await asked(as('a-token-of-nobody-0123456789'), 'catalogs')).toMatchObject({ code: 4 });
  // a certificate that nobody vouches for is nobody's API
  expect(await asked({ RECONCILER_API: trusts.RECONCILER_API, RECONCILER_TOKEN: token }, 'catalogs')).toMatchObject({
    code: 3,
  });

  const owner = await signed(first, { sub: 'ada', roles: [] });
  expect(await asked(as(owner), 'stale', 'lake/sales')).toMatchObject({ code: 0 });
  expect(await asked(as(owner), 'pause', 'lake/sales', '--reason', 'mine')).toMatchObject({ code: 4 });
  expect(await asked(as(await signed(first, { sub: 'eve', roles: [] })), 'stale', 'lake/sales')).toMatchObject({
    code: 4,
  });

  keys.keys = [second.published];
  const approver = await signed(second, { sub: 'bob', roles: ['approver'] });
  // a key that is not known is looked for no more than every half minute, and the first look was a moment ago
  await expect
    .poll(async () => (await asked(as(approver), 'catalogs')).code, { timeout: patienceMs, interval: 2_000 })
    .toBe(0);
  expect(await up.stop('SIGINT')).toMatchObject({ code: 0 });
});

test('without a credential nobody from outside is let in: it does not start, and says why', async () => {
  const folder = await scratchFolder();
  for (const command of ['up', 'api'] as const) {
    const process = startCli([command, '--data-dir', join(folder, 'data')], { RECONCILER_SERVER_HOST: '0.0.0.0' });
    expect(await process.exitCode(patienceMs)).toBe(2);
    expect(process.output()).toMatch(/server\.host.*no credential is configured.*auth\.tokens/);
  }
});
