import { expect, test } from 'vitest';
import { parseUid, uidText } from '../../../src/sources/postgres/uid.ts';

test('an identity is read back as it was written', () => {
  for (const [kind, oid] of [
    ['schema', '11'],
    ['relation', '4294967295'],
  ] as const) {
    expect(parseUid(uidText(kind, oid))).toEqual({ kind, oid });
  }
});

test.each(['', '11', 'schema:', 'schema:0', 'schema:011', 'relation:4294967296', 'table:1', 'schema:1 ', 'schema:1;2'])(
  'is no identity of PostgreSQL: %j',
  (text) => expect(parseUid(text)).toBeUndefined(),
);
