import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { openProgress } from '../../src/main/terminal/progress.ts';
import { shellWords } from '../../src/main/terminal/shell-words.ts';
import { folded, marked, table } from '../../src/main/terminal/table.ts';
import { openTerminal } from '../../src/main/terminal/terminal.ts';
import { runCli } from './run-cli.ts';

describe('words on a terminal', () => {
  test('columns are aligned, the last one is as long as it must be', () => {
    expect(
      table(
        ['A', 'PATH'],
        [
          ['wide', 'x'.repeat(100)],
          ['b', ''],
        ],
      ),
    ).toEqual(['A     PATH', `wide  ${'x'.repeat(100)}`, 'b']);
  });

  test('texts are folded at blanks, below their mark', () => {
    expect(folded('one two three', 7)).toEqual(['one two', 'three']);
    expect(folded('incomprehensibilities', 5)).toEqual(['incomprehensibilities']);
    const lines = marked('Held:', 'word '.repeat(30).trim());
    expect(lines.every((line) => line.length <= 80)).toBe(true);
    expect(lines[1]).toMatch(/^ {6}word/);
  });

  test.each([
    [['stale', 'lake/shop'], 'stale lake/shop'],
    [['approve', 'lake/shop', 'a b'], "approve lake/shop 'a b'"],
    [['keep', "it's", '$(rm -rf)', ''], `keep 'it'\\''s' '$(rm -rf)' ''`],
  ])('a suggested command survives the shell: %j', (words, line) => {
    expect(shellWords(words)).toBe(line);
  });
});

describe('progress', () => {
  test('is a bar where a person watches', async () => {
    const err = Object.assign(new PassThrough(), {
      isTTY: true,
      columns: 80,
      cursorTo: () => true,
      clearLine: () => true,
    });
    const progress = openProgress(openTerminal({ out: new PassThrough(), err }));
    progress.step('probing', 4, 8);
    progress.end();
    err.end();
    expect(await text(err)).toContain('50% | 4 of 8 probed | probing');
  });

  test('tells the pace and the time left once it knows them, within 80 columns', async () => {
    const err = Object.assign(new PassThrough(), {
      isTTY: true,
      columns: 80,
      cursorTo: () => true,
      clearLine: () => true,
    });
    let now = 0;
    const progress = openProgress(openTerminal({ out: new PassThrough(), err }), () => now);
    progress.step('probing', 100_000, 1_000_000);
    now = 10_000;
    progress.step('probing', 200_000, 1_000_000);
    progress.end();
    err.end();
    const [shown = ''] = /20% \|.*?\| probing/.exec(await text(err)) ?? [];
    expect(shown).toBe('20% | 200000 of 1000000 probed, 10000/s, 1 min 20 s left | probing');
    const bar = 12;
    expect(bar + 1 + shown.length).toBeLessThanOrEqual(80);
  });

  test('is a line for each new phase and each tenth where nobody does', async () => {
    const err = new PassThrough();
    const progress = openProgress(openTerminal({ out: new PassThrough(), err }));
    progress.step('waiting for a worker', 0, 0);
    for (const done of [1, 2, 20, 21, 29, 30]) progress.step('probing', done, 100);
    progress.end();
    err.end();
    expect(await text(err)).toBe(
      'waiting for a worker\nprobing: 1 of 100 probed\nprobing: 20 of 100 probed\nprobing: 30 of 100 probed\n',
    );
  });
});

describe('something else than our API answers', () => {
  let server: Server | undefined;
  afterEach(() => server?.close());

  async function answering(status: number, type: string, body: string): Promise<string> {
    server = createServer((_request, response) => response.writeHead(status, { 'content-type': type }).end(body));
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  test.each([
    ['a page', 200, 'text/html', '<h1>It works!</h1>'],
    ['a proxy’s error', 502, 'text/html', '<h1>Bad Gateway</h1>'],
    ['JSON of another shape', 200, 'application/json', '{"status":"ok"}'],
    ['an error of another shape', 404, 'application/json', '{"error":"Not Found"}'],
    ['nothing', 200, 'application/json', ''],
  ])('%s', async (_what, status, type, body) => {
    const url = await answering(status, type, body);
    const { code, out, err } = await runCli(['catalogs'], url);
    expect([code, out]).toEqual([3, '']);
    expect(err.replaceAll(/\s+/g, ' ')).toContain(`answers at ${url}`);
  });

  test('a connection that breaks off', async () => {
    server = createServer((request) => request.socket.destroy());
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect((await runCli(['catalogs'], url)).code).toBe(3);
  });

  test('an API behind a prefix is reached there', async () => {
    let asked: string | undefined;
    server = createServer((request, response) => {
      asked = request.url;
      response.end(JSON.stringify({ catalogs: [], metalakes: [] }));
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/reconciler/`;
    expect(await runCli(['catalogs'], url)).toMatchObject({ code: 0, out: 'There are no catalogs yet.\n' });
    expect(asked).toBe('/reconciler/api/overview?limit=500');
  });
});

test('a suggested command repeats --api where it was typed, and only there', async () => {
  const server = createServer((_request, response) => response.end(JSON.stringify({ rounds: [] })));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const typed = await runCli(['rounds', 'lake/shop', '--api', url], 'http://127.0.0.1:0');
  const configured = await runCli(['rounds', 'lake/shop'], url);
  server.close();
  expect(typed.err).toContain(`reconcile lake/shop --api ${url}\n`);
  expect(configured.err).toContain('reconcile lake/shop\n');
});

describe('a question', () => {
  function terminalOf(isTTY: boolean) {
    const input = Object.assign(new PassThrough(), { isTTY });
    const screen = Object.assign(new PassThrough(), { isTTY });
    return { input, screen, terminal: openTerminal({ out: new PassThrough(), err: screen, in: input }) };
  }

  test.each([
    ['y\n', true],
    ['Yes\n', true],
    ['\n', false],
    ['no\n', false],
    ['yes, but\n', false],
  ])('answered with %j is a yes: %s', async (answer, yes) => {
    const { input, screen, terminal } = terminalOf(true);
    const asked = terminal.confirm?.('approve 2 findings?');
    input.write(answer);
    expect(await asked).toBe(yes);
    expect(String(screen.read())).toContain('approve 2 findings? [y/N]');
  });

  test('that the input ends without answering is a no', async () => {
    const { input, terminal } = terminalOf(true);
    const asked = terminal.confirm?.('really?');
    input.end();
    expect(await asked).toBe(false);
  });

  test('is not asked where nobody sits', () => {
    expect(terminalOf(false).terminal.confirm).toBeUndefined();
  });
});
