import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cliDefaults } from '../../src/config/cli-defaults.ts';
import { openAccessHouse, tokenOf } from '../api/access-house.ts';
import { type ApiHouse, openTestLedger } from '../api/api-house.ts';
import type { TestLedger } from '../support/ledger.ts';
import { scratchFolder } from '../support/scratch.ts';
import { runCli } from './run-cli.ts';

let at: TestLedger;
let house: ApiHouse;
let url: string;
beforeAll(async () => {
  at = await openTestLedger();
  house = await openAccessHouse(at);
  await house.app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(house.app.server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await house.close();
  await at.close();
});

const cli = (args: readonly string[], env: Record<string, string> = {}) =>
  runCli(args, url, { defaults: cliDefaults({ ...env, RECONCILER_API: url }) });

describe('the command line', () => {
  test('shows its token: of an option, a variable or a file', async () => {
    const file = join(await scratchFolder(), 'token');
    await writeFile(file, `${tokenOf('viewer')}\n`);
    for (const [args, env] of [
      [['--token', tokenOf('viewer')], {}],
      [['--token-file', file], {}],
      [[], { RECONCILER_TOKEN: tokenOf('viewer') }],
      [[], { RECONCILER_TOKEN_FILE: file }],
    ] as const) {
      expect(await cli(['catalogs', ...args], env)).toMatchObject({ code: 0, err: '' });
    }
  });

  test('takes what was typed before what a variable says', async () => {
    const file = join(await scratchFolder(), 'token');
    await writeFile(file, tokenOf('viewer'));
    const wrong = { RECONCILER_TOKEN: 'a-token-of-nobody' };
    expect((await cli(['catalogs', '--token', tokenOf('viewer')], wrong)).code).toBe(0);
    expect((await cli(['catalogs', '--token-file', file], wrong)).code).toBe(0);
  });

  test('acts as whom the token names, whatever --as says', async () => {
    const { code } = await cli(['pause', 'lake/shop', '--reason', 'a test', '--as', 'anna'], {
      RECONCILER_TOKEN: tokenOf('operator'),
    });
    expect(code).toBe(0);
    const [entry] = (await at.ledger.audit.page({ limit: 10, after: 0 })).slice(-1);
    expect(entry).toMatchObject({
      actor: { name: 'operator', verified: true, via: 'cli' },
      detail: { reason: 'a test' },
    });
  });

  test('says what is missing without a token, and ends with 4', async () => {
    const { code, err } = await cli(['catalogs']);
    expect(code).toBe(4);
    expect(err).toContain('Who asks is not known.');
    expect(err).toContain('RECONCILER_TOKEN');
  });

  test('says who would be allowed, and ends with 4', async () => {
    const { code, err } = await cli(['resume', 'lake/shop'], { RECONCILER_TOKEN: tokenOf('olga') });
    expect(code).toBe(4);
    expect(err.replaceAll(/\s+/g, ' ')).toContain('it takes `operator`');
  });

  test('lets an owner without any role look after a catalog', async () => {
    const env = { RECONCILER_TOKEN: tokenOf('olga') };
    expect((await cli(['stale', 'lake/shop'], env)).code).toBe(0);
    expect((await cli(['stale', 'pond/shop'], env)).code).toBe(4);
  });

  test('shows no token: not in help, in messages or in commands that it suggests', async () => {
    const env = { RECONCILER_TOKEN: 'planted-0123456789' };
    const said = await Promise.all([
      cli(['catalogs', '--help'], env),
      cli(['catalogs'], env),
      cli(['catalogs', '--token', 'planted 0123456789']),
      cli(['catalogs', '--token-file', '/no/such/planted-file']),
    ]);
    expect(said.map(({ code }) => code)).toEqual([0, 4, 2, 2]);
    expect(
      said
        .slice(0, 3)
        .map(({ out, err }) => out + err)
        .join(),
    ).not.toContain('planted');
    expect(said[3]?.err).toContain('/no/such/planted-file, which cannot be read: ENOENT');
  });
});
