import { expect, test } from 'vitest';
import { openPostgresSource } from '../../../src/sources/postgres/open-postgres-source.ts';
import { addressOf, readSettings } from '../../../src/sources/postgres/settings.ts';

const least = { host: 'db.example', database: 'sales', user: 'reader' };

test('settings have defaults for port and sslmode', () => {
  expect(readSettings(least)).toEqual({ ...least, port: 5432, sslmode: 'disable' });
  expect(readSettings({ ...least, port: '6432', sslmode: 'verify-full' })).toMatchObject({
    port: 6432,
    sslmode: 'verify-full',
  });
});

test.each<[string, Record<string, string>, RegExp]>([
  ['an unknown setting by its name', { ...least, scheme: 'x', sslmod: 'require' }, /no setting scheme, sslmod/],
  ['a password, which has another way', { ...least, password: 'p' }, /no setting password/],
  ['a port that is none', { ...least, port: '70000' }, /port must be a whole number/],
  ['a port with blanks', { ...least, port: ' 5432' }, /port must be a whole number/],
  ['an sslmode that would be chance', { ...least, sslmode: 'prefer' }, /sslmode must be disable, require/],
  ['everything missing at once', {}, /host is missing; database is missing; user is missing/],
  ['an empty host', { ...least, host: '' }, /host is empty/],
])('settings refuse %s', (_what, given, message) => {
  expect(() => openPostgresSource(given)).toThrow(
    expect.objectContaining({ type: 'InvalidRequest', message: expect.stringMatching(message) as string }),
  );
});

test('an address names host, port and database', () => {
  expect(addressOf(readSettings(least))).toBe('db.example:5432/sales');
  expect(addressOf(readSettings({ ...least, host: '::1' }))).toBe('[::1]:5432/sales');
});
