import { expect, test } from 'vitest';
import { ConfigError } from '../../src/config/problem.ts';
import { exitCodes } from '../../src/main/exit-codes.ts';
import { PortTaken } from '../../src/main/listen.ts';
import { reportingFailure } from '../../src/main/start-failure.ts';

const two = [
  { where: 'a.yaml:1', key: 'server.prot', text: 'is no key.' },
  { where: 'a.yaml:2', key: 'logLevel', text: '"loud" is not accepted.' },
];

test.each([
  ['every problem of a configuration', new ConfigError(two), exitCodes.usage, 3],
  ['a port that is taken', new PortTaken('Port 1 is taken.'), exitCodes.refused, 1],
])('%s is told line by line', async (_what, error, code, count) => {
  const lines: string[] = [];
  expect(
    await reportingFailure(
      (line) => lines.push(line),
      () => Promise.reject(error),
    ),
  ).toBe(code);
  expect(lines).toHaveLength(count);
  expect(lines.join('\n')).toBe(error.message);
});

test('what nobody expected is not hidden', async () => {
  const odd = new Error('odd');
  await expect(
    reportingFailure(
      () => undefined,
      () => Promise.reject(odd),
    ),
  ).rejects.toBe(odd);
});
