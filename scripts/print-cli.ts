// Prints docs/cli.md from the commands as they are declared: `tsx scripts/print-cli.ts > docs/cli.md`.
import { pathToFileURL } from 'node:url';
import type { Command, Option } from 'commander';
import { exitMeanings } from '../src/main/exit-codes.ts';
import { argumentTerm, buildProgram } from '../src/main/program/program.ts';
import { openTerminal } from '../src/main/terminal/terminal.ts';
import { examples } from './cli-examples.ts';

export function cliPage(): string {
  const program = buildProgram({
    terminal: openTerminal({ out: process.stderr, err: process.stderr }),
    defaults: { api: 'http://127.0.0.1:8080' },
    now: () => 0,
    done: () => undefined,
  });
  const commands = leaves(program);
  const shared = sharedOptions(commands.map(({ command }) => command));
  const meanings = Object.entries(exitMeanings).map(([code, meaning]) => `| ${code} | ${meaning} |`);
  return `${[
    intro.trim(),
    '## Exit codes',
    ['| code | means |', '| --- | --- |', ...meanings].join('\n'),
    codes.trim(),
    '## Options of every command that talks to the API',
    optionTable(shared),
    '## Commands',
    ...commands.map(({ words, command }) => chapter(words, command, shared)),
  ].join('\n\n')}\n`;
}

const intro = `
# Command line

<!-- Printed by scripts/print-cli.ts from src/main/program and scripts/cli-examples.ts. Change it there. -->

\`npx catalog-reconciler COMMAND\`; \`COMMAND --help\` tells the same as this page. Results go to standard output, everything
about the way there (progress, advice, errors) to standard error, so that a result can be piped. On a terminal a round shows
a bar with objects done, rate and time left; elsewhere a line for each phase and each tenth of it.

\`CATALOG\` is \`metalake/name\`, or the bare name where only one catalog bears it. Paths are written as \`stale\` prints them:
\`schema/table\`, in which a name's own \`/\` is \`%2F\` and its \`%\` is \`%25\`. \`--json\` prints one JSON value, and \`audit --follow\`
one a line.
`;

const codes = `
\`doctor\` exits with 0 where nothing is wrong, warnings or not, and with 1 where something is. \`reconcile\` exits with 1 where
the round came to no conclusion; one that outlasts the wait goes on by itself, and the exit code is 0. \`schedules apply\` exits
with 1 where one of the changes failed. Processes (\`up\`, \`api\`, \`worker\`) exit with 0 after SIGINT or SIGTERM.
`;

interface Leaf {
  readonly words: string;
  readonly command: Command;
}

/** Commands that do something, under all of their words. */
function leaves(command: Command, before: readonly string[] = []): Leaf[] {
  return command.commands.flatMap((child) => {
    const words = [...before, child.name()];
    return child.commands.length > 0 ? leaves(child, words) : [{ words: words.join(' '), command: child }];
  });
}

/** What more than half of all commands take is told once. */
function sharedOptions(commands: readonly Command[]): readonly Option[] {
  const all = commands.flatMap(({ options }) => options);
  const often = (option: Option) => all.filter((one) => sameOption(one, option)).length > commands.length / 2;
  return all.filter((option, at) => often(option) && all.findIndex((one) => sameOption(one, option)) === at);
}

function sameOption(left: Option, right: Option): boolean {
  return left.flags === right.flags && left.description === right.description;
}

function chapter(words: string, command: Command, shared: readonly Option[]): string {
  const own = command.options.filter((option) => !shared.some((one) => sameOption(one, option)));
  const takesShared = own.length < command.options.length;
  const usage = [
    words,
    ...command.registeredArguments.map(argumentTerm),
    ...(command.options.length > 0 ? ['[options]'] : []),
  ];
  const args = command.registeredArguments.map((one) => `- \`${argumentTerm(one)}\`: ${one.description}`);
  return [
    `### \`${words}\``,
    `${sentence(command.description())}${takesShared ? '' : ' Takes none of the options above.'}`,
    `\`\`\`\n${usage.join(' ')}\n\`\`\``,
    ...(args.length === 0 ? [] : [args.join('\n')]),
    ...(own.length === 0 ? [] : [optionTable(own)]),
    `\`\`\`sh\n${(examples[words] ?? []).map((line) => `npx catalog-reconciler ${line}`).join('\n')}\n\`\`\``,
  ].join('\n\n');
}

function optionTable(options: readonly Option[]): string {
  const rows = options.map((option) => {
    const { flags, description, defaultValue, argChoices, mandatory } = option;
    const standard = defaultValue === undefined || option.negate ? '' : `\`${String(defaultValue)}\``;
    const choices =
      argChoices === undefined ? '' : ` One of ${argChoices.map((choice) => `\`${choice}\``).join(', ')}.`;
    const needed = mandatory ? ' Needed.' : '';
    return `| \`${flags.replaceAll('|', '\\|')}\` | ${sentence(description)}${choices}${needed} | ${standard} |`;
  });
  return ['| option | what for | default |', '| --- | --- | --- |', ...rows].join('\n');
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.stdout.write(cliPage());
