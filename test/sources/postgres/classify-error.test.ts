import { DatabaseError } from 'pg';
import { describe, expect, test } from 'vitest';
import { ReconcilerFailure } from '../../../src/domain/failure.ts';
import { classifyError, isUnrepresentable, type Phase } from '../../../src/sources/postgres/classify-error.ts';
import { readSettings } from '../../../src/sources/postgres/settings.ts';

const settings = readSettings({ host: 'db.example', database: 'sales', user: 'reader' });

const server = (code: string, text = 'as the server says it') => {
  const error = new DatabaseError(text, 0, 'error');
  error.code = code;
  return error;
};
const node = (code: string) => Object.assign(new Error(`node says ${code}`), { code });
const uncoded = (text: string) => new Error(text);

describe('classification by place and code', () => {
  test.each<[Phase, Error, string, string]>([
    ['connect', server('3D000'), 'SourceProtocolError', '3D000'],
    ['connect', server('28P01'), 'SourceAccessDenied', '28P01'],
    ['connect', server('28000'), 'SourceAccessDenied', '28000'],
    ['connect', server('42501'), 'SourceAccessDenied', '42501'],
    ['connect', server('55000'), 'SourceUnavailable', '55000'],
    ['connect', server('53300'), 'SourceBusy', '53300'],
    ['connect', server('53200'), 'SourceUnavailable', '53200'],
    ['connect', server('57P01'), 'SourceUnavailable', '57P01'],
    ['connect', server('57P03'), 'SourceUnavailable', '57P03'],
    ['connect', server('08P01', 'database "sales" does not exist'), 'SourceUnreachable', '08P01'],
    ['connect', server('XX000'), 'SourceUnreachable', 'XX000'],
    ['connect', node('ECONNREFUSED'), 'SourceUnreachable', 'ECONNREFUSED'],
    ['connect', node('ENOTFOUND'), 'SourceUnreachable', 'ENOTFOUND'],
    ['connect', node('EPIPE'), 'SourceUnreachable', 'EPIPE'],
    ['connect', node('DEPTH_ZERO_SELF_SIGNED_CERT'), 'SourceUnreachable', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['connect', node('ERR_TLS_CERT_ALTNAME_INVALID'), 'SourceUnreachable', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['connect', uncoded('The server does not support SSL connections'), 'SourceUnreachable', 'no-code'],
    ['connect', uncoded('Connection terminated unexpectedly'), 'SourceUnreachable', 'no-code'],
    ['connect', new DatabaseError('received invalid response: 48', 0, 'error'), 'SourceUnreachable', 'no-code'],
    ['statement', server('42501'), 'SourceAccessDenied', '42501'],
    ['statement', server('42P01'), 'SourceProtocolError', '42P01'],
    ['statement', server('42883'), 'SourceProtocolError', '42883'],
    ['statement', server('22P05'), 'SourceProtocolError', '22P05'],
    ['statement', server('57014'), 'SourceUnavailable', '57014'],
    ['statement', server('57P01'), 'SourceUnavailable', '57P01'],
    ['statement', server('40001'), 'SourceUnavailable', '40001'],
    ['statement', server('55P03'), 'SourceBusy', '55P03'],
    ['statement', server('53300'), 'SourceBusy', '53300'],
    ['statement', server('53200'), 'SourceUnavailable', '53200'],
    ['statement', server('58030'), 'SourceUnavailable', '58030'],
    ['statement', server('XX002'), 'SourceUnavailable', 'XX002'],
    ['statement', server('08P01'), 'SourceUnavailable', '08P01'],
    ['statement', node('ECONNRESET'), 'SourceUnavailable', 'ECONNRESET'],
    ['statement', uncoded('Connection terminated unexpectedly'), 'SourceUnavailable', 'connection-lost'],
  ])('%s: %s', (phase, error, type, code) => {
    expect(classifyError(error, phase, settings)).toMatchObject({ type, code });
  });

  test.each(['does not exist', 'no such table', 'not found', 'relation "t" does not exist'])(
    'B10 the text %j decides nothing',
    (text) => {
      expect(classifyError(uncoded(text), 'statement', settings).type).toBe('SourceUnavailable');
      expect(classifyError(server('57014', text), 'statement', settings).type).toBe('SourceUnavailable');
    },
  );

  test('messages say what happened, to what, and what to do', () => {
    const { message } = classifyError(server('28P01', 'password authentication failed'), 'connect', settings);
    expect(message).toBe(
      'PostgreSQL at db.example:5432/sales did not let us in as user reader (28P01): password authentication failed. ' +
        'Check user, password, pg_hba.conf and whether TLS is demanded.',
    );
  });

  test('what a stranger says is cut and cleaned before it reaches a log', () => {
    const { message } = classifyError(uncoded(`\u001b[31m${'x'.repeat(5_000)}\n`), 'connect', settings);
    expect(message.length).toBeLessThan(500);
    expect(message).not.toMatch(/[\n\u001b]/);
  });

  test('a failure of ours passes as it is', () => {
    const ours = new ReconcilerFailure('SourceBusy', 'x', 'y');
    expect(classifyError(ours, 'connect', settings)).toBe(ours);
  });

  test('only an encoding that lacks a character is a matter of one name', () => {
    const read = (code: string) => isUnrepresentable(classifyError(server(code), 'statement', settings));
    expect(['22P05', '22021', '22P02', '57014'].map(read)).toEqual([true, true, false, false]);
  });
});
