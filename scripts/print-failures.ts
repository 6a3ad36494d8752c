// Prints docs/failures.md from the failure table: `tsx scripts/print-failures.ts > docs/failures.md`.
import { pathToFileURL } from 'node:url';
import { type FailureRule, failureRules } from '../src/domain/failure.ts';

export function failuresPage(): string {
  const rows = Object.entries<FailureRule>(failureRules).map(
    ([type, { when, retry, round, mend }]) =>
      `| \`${type}\` | ${when} | ${retry ? 'yes' : 'no'} | ${round} | ${mend} |`,
  );
  return `${intro.trim()}\n\n${['| type | when | retried | the round becomes | what to do |', '| --- | --- | --- | --- | --- |', ...rows].join('\n')}\n`;
}

const intro = `
# Failures

<!-- Printed by scripts/print-failures.ts from src/domain/failure.ts. Change it there. -->

Every way in which asking or acting can fail. The type and a structured code (an SQLSTATE, an error type) stand in the
round's reason, in the Temporal UI and in the log. No failure is ever an answer about an object: a round that ends by one
publishes nothing and moves nothing.
`;

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.stdout.write(failuresPage());
