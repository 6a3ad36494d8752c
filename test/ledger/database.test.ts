import { DrizzleQueryError } from 'drizzle-orm/errors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ReconcilerFailure } from '../../src/domain/failure.ts';
import { translateDatabaseFailure, translating } from '../../src/ledger/database.ts';
import { openTestLedger, type TestLedger } from '../support/ledger.ts';

const withCode = (code: string, message = 'said the server') => Object.assign(new Error(message), { code });
const secret = 'params: everybody’s names';
const wrapped = (cause: Error) => new DrizzleQueryError('select 1', [secret], cause);

describe('a database that cannot serve is LedgerUnavailable', () => {
  test.each<[string, Error, string]>([
    ['nobody listens', withCode('ECONNREFUSED'), 'ECONNREFUSED'],
    ['the name is not resolved', withCode('ENOTFOUND'), 'ENOTFOUND'],
    ['the connection was reset', withCode('ECONNRESET'), 'ECONNRESET'],
    ['connection failure', withCode('08006'), '08006'],
    ['wrong password', withCode('28P01'), '28P01'],
    ['no such database', withCode('3D000'), '3D000'],
    ['a standby', withCode('25006'), '25006'],
    ['serialization', withCode('40001'), '40001'],
    ['deadlock', withCode('40P01'), '40P01'],
    ['too many connections', withCode('53300'), '53300'],
    ['disk full', withCode('53100'), '53100'],
    ['lock not available', withCode('55P03'), '55P03'],
    ['statement cancelled', withCode('57014'), '57014'],
    ['shutting down', withCode('57P01'), '57P01'],
    ['starting up', withCode('57P03'), '57P03'],
    ['I/O error', withCode('58030'), '58030'],
    ['PGlite closed', new Error('PGlite is closed'), 'closed'],
    ['the pool has no connection', new Error('timeout exceeded when trying to connect'), 'connect-timeout'],
    ['cut off', new Error('Connection terminated unexpectedly'), 'terminated'],
  ])('%s', (_name, error, code) => {
    for (const thrown of [error, wrapped(error)]) {
      const failure = translateDatabaseFailure(thrown);
      expect(failure).toBeInstanceOf(ReconcilerFailure);
      expect(failure).toMatchObject({ type: 'LedgerUnavailable', code, cause: error });
      expect(String(failure)).not.toContain(secret);
    }
  });
});

test.each([
  ['a constraint', withCode('23505')],
  ['bad text', withCode('22021')],
  ['no such table', withCode('42P01')],
])('what the database refuses (%s) is ours to mend, and its parameters stay out of it', (_name, error) => {
  const failure = translateDatabaseFailure(wrapped(error));
  expect(failure).toMatchObject({ type: 'Internal', code: Reflect.get(error, 'code') });
  expect(String(failure)).toContain('said the server');
  expect(String(failure)).not.toContain(secret);
});

test('what is no failure of the database comes through as it is', () => {
  const ours = new ReconcilerFailure('RoundSuperseded', 'not-running', 'no');
  expect(translateDatabaseFailure(ours)).toBe(ours);
  const bug = new TypeError('x is not a function');
  expect(translateDatabaseFailure(bug)).toBe(bug);
  expect(translateDatabaseFailure('text')).toBe('text');
});

test('every method of a part is wrapped, and one that throws at once rejects', async () => {
  const part = translating({
    fails: (): Promise<void> => {
      throw withCode('57P01');
    },
    answers: (a: number, b: number) => Promise.resolve(a + b),
  });
  await expect(part.fails()).rejects.toMatchObject({ type: 'LedgerUnavailable', code: '57P01' });
  expect(await part.answers(1, 2)).toBe(3);
});

describe('the whole ledger', () => {
  let open: TestLedger;
  beforeAll(async () => {
    open = await openTestLedger();
    await open.ledger.ping();
    await open.close();
  });
  afterAll(() => open.close().catch(() => {}));

  test('over a closed database says so, whatever is asked', async () => {
    const { ledger } = open;
    for (const asked of [
      () => ledger.ping(),
      () => ledger.rounds.round('r1'),
      () => ledger.rounds.tidy('a/b', 1),
      () => ledger.findings.count('a/b', 0),
      () => ledger.decisions.decisions('a/b', { limit: 1 }, 0),
      () => ledger.removals.next('a/b', 0),
      () => ledger.catalogs.catalogs(),
      () => ledger.audit.page({ limit: 1 }),
    ]) {
      await expect(asked()).rejects.toMatchObject({ type: 'LedgerUnavailable' });
    }
  });
});
