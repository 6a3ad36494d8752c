import { Writable } from 'node:stream';
import type { CliDefaults } from '../../src/config/cli-defaults.ts';
import type { ExitCode } from '../../src/main/exit-codes.ts';
import { runProgram } from '../../src/main/program/program.ts';
import { openTerminal } from '../../src/main/terminal/terminal.ts';
import { t0 } from '../ledger/seed.ts';

export interface CliResult {
  /** As the process would exit; `undefined` where the command never said. */
  readonly code: ExitCode | undefined;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process, against the API at `api`. */
export async function runCli(
  args: readonly string[],
  api: string,
  {
    watched = false,
    now = t0,
    defaults = { api },
  }: { readonly watched?: boolean; readonly now?: number; readonly defaults?: CliDefaults } = {},
): Promise<CliResult> {
  let code: ExitCode | undefined;
  const out = sink();
  const err = sink(watched);
  await runProgram(args, {
    terminal: openTerminal({ out: out.stream, err: err.stream }),
    defaults,
    now: () => now,
    done: (said) => {
      code = said;
    },
  });
  return { code, out: out.text(), err: err.text() };
}

function sink(isTTY = false) {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY }), text: () => chunks.join('') };
}
