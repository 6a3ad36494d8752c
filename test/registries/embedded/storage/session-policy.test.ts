import { describe, expect, test } from 'vitest';
import { sessionPolicy } from '../../../../src/registries/embedded/storage/session-policy.ts';

interface Policy {
  readonly Statement: readonly {
    readonly Action: readonly string[];
    readonly Resource: readonly string[];
    readonly Condition?: { readonly StringLike: Readonly<Record<string, readonly string[]>> };
  }[];
}
const policy = (...asked: Parameters<typeof sessionPolicy>): Policy => JSON.parse(sessionPolicy(...asked));
const table = { bucket: 'lake', key: 'managed/t 1' };

describe('what an assumed role may do for a client', () => {
  test('is to read in one folder', () => {
    const [objects, listing] = policy(table, 'READ').Statement;
    expect(objects).toMatchObject({ Action: ['s3:GetObject'], Resource: ['arn:aws:s3:::lake/managed/t 1/*'] });
    expect(listing?.Resource).toEqual(['arn:aws:s3:::lake']);
    // `managed/t 1` without a slash would list `managed/t 10` as well
    expect(listing?.Condition).toEqual({ StringLike: { 's3:prefix': ['managed/t 1/*'] } });
  });

  test('is to write there as well', () => {
    const actions = policy(table, 'READ_WRITE').Statement[0]?.Action;
    expect(actions).toEqual(expect.arrayContaining(['s3:GetObject', 's3:PutObject', 's3:DeleteObject']));
  });

  test('opens no neighbour by a sign that means something in a policy', () => {
    const [objects] = policy({ bucket: 'lake', key: 'a*/b?/${aws:username}' }, 'READ').Statement;
    expect(objects?.Resource).toEqual(['arn:aws:s3:::lake/a${*}/b${?}/${$}{aws:username}/*']);
  });

  test('names the partition of the role', () => {
    expect(policy(table, 'READ', 'aws-cn').Statement[0]?.Resource).toEqual(['arn:aws-cn:s3:::lake/managed/t 1/*']);
  });

  test('fits the 2,048 characters of a session policy for any sensible folder', () => {
    expect(sessionPolicy({ bucket: 'b'.repeat(63), key: 'k'.repeat(500) }, 'READ_WRITE').length).toBeLessThan(2_048);
  });
});
