import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { failuresPage } from '../../scripts/print-failures.ts';
import { failureRules } from '../../src/domain/failure.ts';

test('docs/failures.md is what scripts/print-failures.ts prints, a row a type', () => {
  const page = readFileSync(fileURLToPath(new URL('../../docs/failures.md', import.meta.url)), 'utf8');
  expect(page).toBe(failuresPage());
  for (const type of Object.keys(failureRules)) expect(page).toContain(`| \`${type}\` |`);
});
