import { describe, expect, test } from 'vitest';
import { fencesOf, withBodies } from './examples/fences.ts';
import { StandIns } from './examples/stand-ins.ts';
import { exchangesIn, transcriptOf } from './examples/transcript.ts';
import { comparable } from './examples/varying.ts';

const page = 'Text\n\n```console until="it is gone" exit=1\n$ ls\na\n```\n\n- ```yaml file=a.yaml\n  b: 1\n  ```\n';

describe('a page', () => {
  test('has blocks with options', () => {
    expect(fencesOf(page).map(({ language, options, body }) => [language, Object.fromEntries(options), body])).toEqual([
      ['console', { until: 'it is gone', exit: '1' }, '$ ls\na'],
      ['yaml', { file: 'a.yaml' }, 'b: 1'],
    ]);
  });

  test('changes nothing but the bodies that are given', () => {
    const [first] = fencesOf(page);
    if (first === undefined) throw new Error('no block');
    expect(withBodies(page, new Map([[first, '$ ls\nb']]))).toBe(page.replace('\na\n', '\nb\n'));
  });
});

test.each(['$ a', '$ a\nb\n\nc\n$ d', '$ a\n> b\nc'])('a block is written as it was read: %j', (body) => {
  expect(transcriptOf(exchangesIn(body))).toBe(body);
});

describe('stand-ins', () => {
  const ids = ['5b8f8b4e-6f1c-4d1e-9a57-1c1f0e1d2c3b', '0d9e4c52-8c44-4d5b-b0f6-8f3f6f1a2b4c'] as const;
  const inRun = (...order: readonly string[]) => {
    const standIns = new StandIns([['8080', '41234']]);
    return { standIns, doc: standIns.toDoc(order.join(' ')) };
  };

  test('are the same in every run, whatever the ids are', () => {
    expect(inRun(...ids).doc).toBe(inRun(...ids.toReversed()).doc);
    expect(inRun(ids[0], ids[0]).doc).not.toBe(inRun(...ids).doc);
  });

  test('lead back to what they stand for', () => {
    const { standIns, doc } = inRun(...ids, 'http://127.0.0.1:41234/api');
    expect(doc).toContain(':8080/api');
    expect(standIns.toReal(doc)).toBe(`${ids.join(' ')} http://127.0.0.1:41234/api`);
  });
});

test.each([
  ['a moment', 'at 2026-12-01T04:28:01Z', 'at 2027-01-01T00:00:00.123Z', true],
  ['Unix milliseconds', '"at": 1790000000000', '"at": 1790000000001', true],
  ['a span', 'watched for 7 s of 1 d', 'watched for 2 min of 1 d', true],
  ['a count', '3 entries', '4 entries', false],
  ['a word', 'removed', 'refused', false],
])('%s may be another: %s, %s', (_what, one, other, same) => {
  expect(comparable(one) === comparable(other)).toBe(same);
});
