#!/usr/bin/env node
import { cliDefaults } from '../config/cli-defaults.ts';
import { runProgram } from './program/program.ts';
import { openTerminal } from './terminal/terminal.ts';

// `… | head` closes our output early; that is the reader's wish, not an error
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});

await runProgram(process.argv.slice(2), {
  terminal: openTerminal({ out: process.stdout, err: process.stderr, in: process.stdin }),
  defaults: cliDefaults(),
  now: Date.now,
  done: (code) => {
    // not exit(): what was written has to be read first
    process.exitCode = code;
  },
});
