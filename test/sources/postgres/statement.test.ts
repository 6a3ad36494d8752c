import { expect, test } from 'vitest';
import type { ControlAnswers } from '../../../src/domain/controls.ts';
import type { ProbeAnswer } from '../../../src/domain/verdict.ts';
import { answerFrom } from '../../../src/sources/postgres/answer.ts';
import { requireTrust } from '../../../src/sources/postgres/probe.ts';
import type { Row } from '../../../src/sources/postgres/session.ts';
import { readSettings } from '../../../src/sources/postgres/settings.ts';
import { type Found, readLookUp, type Respondent } from '../../../src/sources/postgres/statement.ts';

const settings = readSettings({ host: 'db.example', database: 'sales', user: 'reader' });
const head = ['sales', '7001', '5', 'reader', 'f', 'UTF8'];
const headless = [null, null, null, null, null, null];
const rows: readonly Row[] = [
  ['1', '11', '1259', 'r', ...head],
  ['2', '11', null, null, ...headless],
  ['3', null, null, null, ...headless],
];

test('rows become answers and a fingerprint', () => {
  expect(readLookUp(rows, 3, settings)).toEqual({
    found: [
      { schemaOid: '11', relationOid: '1259', relkind: 'r' },
      { schemaOid: '11', relationOid: null, relkind: null },
      { schemaOid: null, relationOid: null, relkind: null },
    ],
    respondent: { fingerprint: '7001/5', principal: 'reader', standby: false, encoding: 'UTF8' },
  });
});

test.each<[string, readonly Row[], number]>([
  ['B05 one row is missing at the end', rows.slice(0, 2), 3],
  ['B05 no row at all', [], 3],
  ['a row too many', rows, 2],
  ['rows out of order', [rows[0] ?? [], rows[2] ?? [], rows[1] ?? []], 3],
  ['a row twice', [rows[0] ?? [], rows[1] ?? [], rows[1] ?? []], 3],
])('an answer is not believed: %s', (_what, given, asked) => {
  expect(() => readLookUp(given, asked, settings)).toThrow(
    expect.objectContaining({ type: 'IncompleteBatch', code: 'row-count' }),
  );
});

test.each<[string, Row, string]>([
  ['B19 it is about another database', ['1', '11', '1259', 'r', 'other', ...head.slice(1)], 'other-database'],
  ['it names no database', ['1', '11', '1259', 'r', ...headless], 'other-database'],
  ['it has no system identifier', ['1', '11', '1259', 'r', 'sales', null, ...head.slice(2)], 'no-fingerprint'],
  [
    'it does not say whether it is a standby',
    ['1', '11', '1259', 'r', ...head.slice(0, 4), null, 'UTF8'],
    'no-fingerprint',
  ],
])('an answer is refused: %s', (_what, row, code) => {
  expect(() => readLookUp([row], 1, settings)).toThrow(expect.objectContaining({ type: 'SourceProtocolError', code }));
});

const primary: Respondent = { fingerprint: '7001/5', principal: 'reader', standby: false, encoding: 'UTF8' };
const there: Found = { schemaOid: '11', relationOid: '99', relkind: 'v' };
const noRelation: Found = { schemaOid: '11', relationOid: null, relkind: null };
const noSchema: Found = { schemaOid: null, relationOid: null, relkind: null };
const table = (relation: string) => ({ schema: 's', relation });

test.each<[string, Parameters<typeof answerFrom>, ProbeAnswer]>([
  ['present', [table('t'), there, primary], { answer: 'present', code: 'row', found: 'view', uid: 'relation:99' }],
  [
    'a sequence under the name',
    [table('t'), { ...there, relkind: 'S' }, primary],
    { answer: 'present', code: 'row', found: 'other', uid: 'relation:99' },
  ],
  ['absent', [table('t'), noRelation, primary], { answer: 'absent', code: 'no-such-relation' }],
  ['no schema', [table('t'), noSchema, primary], { answer: 'parent-absent', code: 'no-such-schema' }],
  [
    'a schema that is there',
    [{ schema: 's', relation: null }, noRelation, primary],
    { answer: 'present', code: 'row', found: 'schema', uid: 'schema:11' },
  ],
  [
    'a schema that is not there',
    [{ schema: 's', relation: null }, noSchema, primary],
    { answer: 'absent', code: 'no-such-schema' },
  ],
  [
    'present on a standby',
    [table('t'), there, { ...primary, standby: true }],
    { answer: 'present', code: 'row', found: 'view', uid: 'relation:99' },
  ],
  [
    'B02 absent on a standby, which may lag',
    [table('t'), noRelation, { ...primary, standby: true }],
    { answer: 'unknown', code: 'standby' },
  ],
  [
    'no schema on a standby',
    [table('t'), noSchema, { ...primary, standby: true }],
    { answer: 'unknown', code: 'standby' },
  ],
  [
    'absent, where letters have no encoding',
    [table('café'), noRelation, { ...primary, encoding: 'SQL_ASCII' }],
    { answer: 'unknown', code: 'encoding-unknown' },
  ],
  [
    'absent, where letters have no encoding, a name without any',
    [table('cafe'), noRelation, { ...primary, encoding: 'SQL_ASCII' }],
    { answer: 'absent', code: 'no-such-relation' },
  ],
])('an answer: %s', (_what, given, answer) => {
  expect(answerFrom(...given)).toEqual(answer);
});

const builtin: ProbeAnswer = { answer: 'present', code: 'row', found: 'table', uid: 'relation:1259' };
const impossible: ProbeAnswer = { answer: 'absent', code: 'no-such-relation' };

test.each<[string, ControlAnswers, string]>([
  ['B08 sees no pg_class', { builtin: impossible, impossible, known: [] }, 'control-builtin'],
  [
    'has another pg_class',
    { builtin: { ...builtin, uid: 'relation:16385' }, impossible, known: [] },
    'control-builtin',
  ],
  ['B14 has everything', { builtin, impossible: builtin, known: [] }, 'control-impossible'],
  [
    'B14 lacks even pg_catalog',
    { builtin, impossible: { answer: 'parent-absent', code: 'no-such-schema' }, known: [] },
    'control-impossible',
  ],
])('a server is not believed that %s', (_what, controls, code) => {
  expect(() => requireTrust(controls, settings)).toThrow(expect.objectContaining({ type: 'ProbeUntrusted', code }));
  expect(() => requireTrust({ builtin, impossible, known: [] }, settings)).not.toThrow();
});
