// Adds up what the steps of `.ci/run` left in one folder, and prints the closing line.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder] = process.argv.slice(2);
let passed = 0;
let failed = 0;

for (const step of ['install', 'check', 'test', 'services']) {
  const codeFile = join(folder, `${step}.code`);
  if (!existsSync(codeFile)) {
    failed += 1;
    console.log(`${step}: did not run`);
    continue;
  }
  const code = Number(readFileSync(codeFile, 'utf8'));
  const tests = step === 'test' || step === 'services' ? testsOf(join(folder, `${step}.json`)) : undefined;
  const broken = tests?.failed ?? 0;
  passed += tests?.passed ?? 0;
  // a step that failed without a failed test counts as one: a type error, a file that does not load, nothing to run
  const silent = (code !== 0 || tests?.passed === 0) && broken === 0 ? 1 : 0;
  failed += broken + silent;
  const numbers = tests === undefined ? '' : `, ${tests.passed} passed, ${broken} failed, ${tests.skipped} skipped`;
  console.log(`${step}: ${code === 0 ? 'ok' : `exit ${code}`}${numbers}`);
}

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

function testsOf(file) {
  if (!existsSync(file)) return { passed: 0, failed: 0, skipped: 0 };
  const report = JSON.parse(readFileSync(file, 'utf8'));
  // a file that did not load has no failed test in it, yet it is a failure
  const unread = report.testResults.filter(
    (result) => result.status === 'failed' && !result.assertionResults.some((test) => test.status === 'failed'),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unread.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}
