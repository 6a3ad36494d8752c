import { expect, test } from 'vitest';
import { GatewayUnavailable } from '../../src/contract/gateway-unavailable.ts';

test('an unreachable gateway says when to come again, even where nobody knows', () => {
  const cause = new Error('ECONNREFUSED');
  expect(new GatewayUnavailable('no worker', { cause, retryAfterSeconds: 30 })).toMatchObject({
    name: 'GatewayUnavailable',
    message: 'no worker',
    cause,
    retryAfterSeconds: 30,
  });
  const unexplained = new GatewayUnavailable('no worker');
  expect(unexplained.retryAfterSeconds).toBe(5);
  expect('cause' in unexplained).toBe(false);
});
