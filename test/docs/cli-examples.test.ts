import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { examples } from '../../scripts/cli-examples.ts';
import { buildProgram } from '../../src/main/program/program.ts';
import { openTerminal } from '../../src/main/terminal/terminal.ts';

const lines = Object.entries(examples).flatMap(([words, typed]) => typed.map((line) => [words, line] as const));

test.each(lines)('%s: %s is understood', async (words, line) => {
  const program = buildProgram({
    terminal: openTerminal({ out: process.stderr, err: process.stderr }),
    defaults: { api: 'http://127.0.0.1:1' },
    now: () => 0,
    done: () => undefined,
  });
  let ran = '';
  const replace = (command: Command, before: readonly string[]): void => {
    command.exitOverride();
    for (const child of command.commands) replace(child, [...before, child.name()]);
    if (command.commands.length === 0) command.action(() => void (ran = before.join(' ')));
  };
  replace(program, []);
  const typed = [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
  await program.parseAsync(typed, { from: 'user' });
  expect(ran).toBe(words);
});
