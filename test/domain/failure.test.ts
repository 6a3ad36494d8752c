import { describe, expect, test } from 'vitest';
import { type FailureRule, failureRules, type FailureType, ReconcilerFailure } from '../../src/domain/failure.ts';

const rows = Object.entries(failureRules) as [FailureType, FailureRule][];
const which = (holds: (rule: FailureRule, type: FailureType) => boolean) =>
  rows.filter(([type, rule]) => holds(rule, type)).map(([type]) => type);

describe('the table of failures', () => {
  test('ends the round as unreachable exactly where the source could not be asked or believed', () => {
    expect(which(({ round }) => round === 'unreachable')).toEqual([
      'SourceUnreachable',
      'SourceUnavailable',
      'SourceBusy',
      'SourceAccessDenied',
      'SourceProtocolError',
      'ProbeUntrusted',
    ]);
  });

  test('ends the round as incomplete where answers or registrations are missing', () => {
    expect(which(({ round }) => round === 'incomplete')).toEqual(['IncompleteBatch', 'SnapshotIncomplete']);
  });

  test('asks again only where that can help', () => {
    expect(which(({ retry }) => !retry)).toEqual([
      'SourceAccessDenied',
      'SourceProtocolError',
      'ProbeUntrusted',
      'RegistryAccessDenied',
      'RegistryProtocolError',
      'InvalidRequest',
      'RoundSuperseded',
    ]);
  });

  test('calls ordinary what happens in a healthy system', () => {
    expect(which(({ benign }) => benign)).toEqual(['SourceBusy', 'RoundSuperseded']);
  });

  test.each(rows)('says of %s when it happens and what mends it, in sentences', (_type, { when, mend }) => {
    expect(when).toMatch(/^\S.{8,}[^.]$/);
    expect(mend).toMatch(/^[A-Z].{8,}\.$/);
  });

  test('says something of its own of each', () => {
    expect(new Set(rows.flatMap(([, { when, mend }]) => [when, mend])).size).toBe(2 * rows.length);
  });
});

describe('the failure that ports throw', () => {
  test('carries its row, the code behind it and how long to wait', () => {
    const cause = new Error('ECONNREFUSED');
    const failure = new ReconcilerFailure('SourceBusy', '53300', 'too many connections', { cause, retryAfterMs: 5 });
    expect(failure).toBeInstanceOf(Error);
    expect(failure).toMatchObject({
      name: 'ReconcilerFailure',
      type: 'SourceBusy',
      code: '53300',
      message: 'too many connections',
      cause,
      retryAfterMs: 5,
    });
  });

  test('has no cause and no wait unless given', () => {
    const failure = new ReconcilerFailure('Internal', 'bug', 'no');
    expect('cause' in failure).toBe(false);
    expect(failure.retryAfterMs).toBeUndefined();
  });
});
