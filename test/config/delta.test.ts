import { describe, expect, test } from 'vitest';
import { loading, problemsOf } from './loading.ts';

const env = { KEY: 'AKIAPLANTED', SECRET: 'planted-secret', TOKEN: 'planted-token' };
const lake = 'metalakes: {lake: {}}\n';
const keys = 'accessKeyId: {env: KEY}, secretAccessKey: {env: SECRET}';
const told = (yaml: string) => problemsOf(yaml, env).map(({ key, text }) => `${key}: ${text}`);

describe('the Unity Catalog API', () => {
  test('serves the only metalake of the file, or the one that is named, and otherwise none', () => {
    expect(loading('').delta).toEqual({ buckets: [] });
    expect(loading(lake).delta).toEqual({ metalake: 'lake', buckets: [] });
    expect(loading('metalakes: {lake: {}, pond: {}}').delta).toEqual({ buckets: [] });
    expect(loading('delta: {metalake: pond}\nmetalakes: {lake: {}, pond: {}}').delta.metalake).toBe('pond');
    expect(told(`delta: {metalake: sea}\n${lake}`)).toEqual([
      'delta.metalake: names no metalake of this file. Add it under metalakes, or name one that is there',
    ]);
  });

  test.each([
    ['s3://bucket/managed', 's3://bucket/managed'],
    ['file:///srv/lake', 'file:///srv/lake'],
    ['/srv/lake', 'file:///srv/lake'],
    ['lake', 'file:///srv/here/lake'],
  ])('lays managed tables below %s', (written, root) => {
    expect(loading(`delta: {storageRoot: "${written}"}`).delta.storageRoot).toBe(root);
  });

  test('takes no root of a store that it cannot use', () => {
    expect(told('delta: {storageRoot: "s3a://bucket/managed"}')).toHaveLength(1);
  });
});

describe('a bucket', () => {
  const bucket = (text: string) => `delta: {buckets: {lake-bucket: {${text}}}}`;

  test('has keys, by reference', () => {
    const { delta } = loading(bucket(`${keys}, sessionToken: {env: TOKEN}, endpoint: "http://store:9000"`), env);
    const [found] = delta.buckets;
    expect(found).toMatchObject({ name: 'lake-bucket', region: 'us-east-1', endpoint: 'http://store:9000' });
    expect(found?.keys?.accessKeyId.reveal()).toBe(env.KEY);
    expect(found?.keys?.secretAccessKey.reveal()).toBe(env.SECRET);
    expect(found?.keys?.sessionToken?.reveal()).toBe(env.TOKEN);
    expect(JSON.stringify(delta)).not.toContain('lanted');
  });

  test('has a role, with the credentials of the machine or with keys', () => {
    const role = 'roleArn: "arn:aws:iam::123456789012:role/lake"';
    const alone = loading(bucket(role)).delta.buckets[0];
    expect(alone?.role).toEqual({ arn: 'arn:aws:iam::123456789012:role/lake', sessionSecs: 3_600 });
    expect(alone?.keys).toBeUndefined();
    const both = loading(bucket(`${keys}, ${role}, externalId: x, sessionSecs: 900`), env).delta.buckets[0];
    expect(both).toMatchObject({ role: { externalId: 'x', sessionSecs: 900 }, keys: {} });
  });

  test.each([
    ['', 'delta.buckets.lake-bucket: says nothing of credentials'],
    ['accessKeyId: {env: KEY}', 'delta.buckets.lake-bucket: lacks secretAccessKey'],
    ['secretAccessKey: {env: SECRET}', 'delta.buckets.lake-bucket: lacks accessKeyId'],
    [
      'accessKeyId: AKIAPLANTED, secretAccessKey: {env: SECRET}',
      'delta.buckets.lake-bucket.accessKeyId: is not accepted',
    ],
    [`${keys}, externalId: x`, 'delta.buckets.lake-bucket.externalId: is of no use without roleArn'],
    [`${keys}, endpoint: "ftp://store"`, 'delta.buckets.lake-bucket.endpoint: is not accepted'],
  ])('is refused with %j', (text, problem) => {
    const problems = told(bucket(text));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(problem);
    expect(problems.join()).not.toContain('PLANTED');
  });

  test('is refused under a name that no bucket has', () => {
    expect(told(`delta: {buckets: {"A_b": {${keys}}}}`)).toEqual(['delta.buckets.A_b: is no name of a bucket']);
  });
});
