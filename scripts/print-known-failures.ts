// Prints docs/known-failures.md: `tsx scripts/print-known-failures.ts > docs/known-failures.md`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { knownFailures } from './known-failures.ts';

const root = join(import.meta.dirname, '..');

/** A title that begins with one number or several. */
const titled = /['"`]((?:B\d{2} )*B\d{2})\b/g;

/** The files that hold tests named by a failure's number, by the number. */
export function testsByFailure(): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, string[]>();
  const all = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' });
  for (const file of all
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `test/${name}`)
    .sort()) {
    const text = readFileSync(join(root, file), 'utf8');
    const ids = new Set([...text.matchAll(titled)].flatMap(([, numbers]) => (numbers ?? '').split(' ')));
    for (const id of ids) files.set(id, [...(files.get(id) ?? []), file]);
  }
  return files;
}

export function knownFailuresPage(): string {
  const tests = testsByFailure();
  const sections = knownFailures.map(({ group, failures }) => {
    const rows = failures.map(({ id, what, why }) => {
      const files = (tests.get(id) ?? []).map((file) => `[${file.slice('test/'.length)}](../${file})`);
      return `| ${id} | ${what} | ${[files.join(', '), why ?? ''].filter((part) => part !== '').join('. ')} |`;
    });
    return `## ${group}\n\n| | what happened | here |\n| --- | --- | --- |\n${rows.join('\n')}`;
  });
  return `${intro.trim()}\n\n${sections.join('\n\n')}\n`;
}

const intro = `
# Known failures

<!-- Printed by scripts/print-known-failures.ts from scripts/known-failures.ts and the titles of the tests. Change them there. -->

What has happened to systems that delete because "the source no longer has it", and to people who run workflow engines.
Each is a test that has its number in the title, in the files named; or it says why it cannot happen here.
\`npx vitest run -t B07\` runs the tests of one.
`;

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.stdout.write(knownFailuresPage());
