import { DrizzleQueryError } from 'drizzle-orm';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { ReconcilerFailure } from '../../../src/domain/failure.ts';
import { failureOf, translated } from '../../../src/registries/embedded/database-failure.ts';
import { RegistryRefusal } from '../../../src/registries/embedded/refusal.ts';

const coded = (code: string) => Object.assign(new Error(`broken by hunter2 (${code})`), { code });

test.each([
  ['ECONNREFUSED', 'RegistryUnreachable'],
  ['08006', 'RegistryUnreachable'],
  ['40001', 'RegistryUnreachable'],
  ['53300', 'RegistryUnreachable'],
  ['57P01', 'RegistryUnreachable'],
  ['28P01', 'RegistryAccessDenied'],
  ['42501', 'RegistryAccessDenied'],
  ['42P01', 'RegistryProtocolError'],
  ['23505', 'RegistryProtocolError'],
])('code %s of the database is %s, wrapped or not', (code, type) => {
  for (const error of [coded(code), new DrizzleQueryError('insert', ['hunter2'], coded(code))]) {
    const failure = failureOf(error);
    expect(failure).toMatchObject({ name: 'ReconcilerFailure', type, code });
    expect(inspect(failure, { depth: 10 })).not.toContain('hunter2');
  }
});

test('an error without a code is an unreachable database, and says nothing of its text', () => {
  const failure = failureOf(new Error('Connection terminated unexpectedly, hunter2'));
  expect(failure).toMatchObject({ type: 'RegistryUnreachable', code: 'unknown' });
  expect(inspect(failure)).not.toContain('hunter2');
});

test('refusals, failures of the port and mistakes of ours pass as they are', async () => {
  for (const error of [
    new RegistryRefusal('not-found', 'no such table'),
    new ReconcilerFailure('InvalidRequest', 'NO_SUCH_CATALOG', 'no such catalog'),
    new TypeError('ours'),
  ]) {
    expect(failureOf(error)).toBe(error);
    await expect(translated(() => Promise.reject(error))).rejects.toBe(error);
  }
});
