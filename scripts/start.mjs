// `npm start`: builds what changed, then is `up` itself. One process, so that a signal to npm reaches it.
import process from 'node:process';

process.setSourceMapsEnabled(true);
await import('./ensure-built.mjs');
if (process.exitCode === undefined || process.exitCode === 0) {
  const cli = new URL('../dist/main/cli.js', import.meta.url);
  process.argv.splice(1, 1, cli.pathname);
  process.argv.splice(2, 0, 'up');
  await import(cli.href);
}
