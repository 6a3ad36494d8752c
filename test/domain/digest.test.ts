import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  attachmentsDigest,
  canonical,
  epochOf,
  type Eyes,
  findingDigest,
  type FindingEvidence,
} from '../../src/domain/digest.ts';
import { moveFinding, type Standing } from '../../src/domain/finding.ts';
import type { Attachments } from '../../src/domain/registration.ts';
import { attachments, day, hour, judged, judgingRound, sha256, t0, type VerdictName } from '../support/builders.ts';

/** Keeps the text, so that only equal texts have equal digests. */
const plain = (text: string): string => text;

describe('one text for one value', () => {
  test('whatever the order of the keys', () => {
    expect(canonical({ b: 1, a: [2, { d: null, c: 'x' }] })).toBe('{"a":[2,{"c":"x","d":null}],"b":1}');
  });

  test('says nothing of what is undefined', () => {
    expect(canonical({ a: undefined })).toBe('{}');
    expect(canonical([undefined])).toBe('[null]');
  });

  test('tells any two values apart', () => {
    const value = fc.jsonValue({ maxDepth: 3 }).map((some) => JSON.parse(JSON.stringify(some)) as unknown);
    fc.assert(
      fc.property(value, (some) => {
        expect(JSON.parse(canonical(some))).toEqual(some);
      }),
      { numRuns: 150 },
    );
  });
});

describe('the digest of attachments', () => {
  const name = fc.string({ maxLength: 4 });
  const anyAttachments: fc.Arbitrary<Attachments> = fc.record(
    {
      owner: name,
      comment: name,
      tags: fc.uniqueArray(name, { maxLength: 4 }),
      policies: fc.uniqueArray(name, { maxLength: 4 }),
      grants: fc.array(fc.record({ principal: name, privilege: name }), { maxLength: 4 }),
      properties: fc.dictionary(name, name, { maxKeys: 4 }),
    },
    { requiredKeys: ['tags', 'policies', 'grants', 'properties'] },
  );

  test('does not depend on the order in which a registry lists them', () => {
    fc.assert(
      fc.property(anyAttachments, (some) => {
        const other: Attachments = {
          ...some,
          tags: some.tags.toReversed(),
          policies: some.policies.toReversed(),
          grants: some.grants.toReversed().map(({ principal, privilege }) => ({ privilege, principal })),
          properties: Object.fromEntries(Object.entries(some.properties).toReversed()),
        };
        expect(attachmentsDigest(other, sha256)).toBe(attachmentsDigest(some, sha256));
      }),
      { numRuns: 100 },
    );
  });

  const base = attachments({
    owner: 'anna',
    comment: 'sold things',
    tags: ['pii', 'gold'],
    policies: ['mask'],
    grants: [{ principal: 'ben', privilege: 'read' }],
    properties: { team: 'sales' },
  });

  test.each<[string, Partial<Attachments>]>([
    ['another owner', { owner: 'ben' }],
    ['another comment', { comment: 'things' }],
    ['one more tag', { tags: ['pii', 'gold', 'x'] }],
    ['one tag less', { tags: ['pii'] }],
    ['a tag that is two', { tags: ['pii,gold'] }],
    ['a tag that became a policy', { tags: ['pii'], policies: ['gold', 'mask'] }],
    ['one policy less', { policies: [] }],
    ['another privilege', { grants: [{ principal: 'ben', privilege: 'write' }] }],
    ['another principal', { grants: [{ principal: 'eve', privilege: 'read' }] }],
    ['principal and privilege swapped', { grants: [{ principal: 'read', privilege: 'ben' }] }],
    ['another property', { properties: { team: 'law' } }],
    ['another property of the same value', { properties: { group: 'sales' } }],
  ])('changes with %s', (_name, over) => {
    expect(attachmentsDigest({ ...base, ...over }, sha256)).not.toBe(attachmentsDigest(base, sha256));
  });

  test('tells none from an empty one', () => {
    const { owner: _, ...ownerless } = base;
    expect(attachmentsDigest(ownerless, sha256)).not.toBe(attachmentsDigest({ ...ownerless, owner: '' }, sha256));
  });

  test('says so where they cannot be read, and is no digest of nothing', () => {
    expect(attachmentsDigest('unseen', sha256)).toBe('unseen');
    expect(attachmentsDigest(attachments(), sha256)).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('the digest of a finding', () => {
  const evidence: FindingEvidence = {
    entityId: '17',
    version: '4',
    path: ['sales', 'orders'],
    kind: 'table',
    epoch: 'e1',
    verdict: 'absent',
    code: 'no-row',
    attachments: 'unseen',
  };

  test.each<[string, Partial<FindingEvidence>]>([
    ['id', { entityId: '18' }],
    ['version', { version: '5' }],
    ['path', { path: ['sales', 'Orders'] }],
    ['split of the path', { path: ['sales/orders'] }],
    ['kind', { kind: 'view' }],
    ['epoch', { epoch: 'e2' }],
    ['verdict', { verdict: 'renamed' }],
    ['code', { code: 'parent-absent' }],
    ['attachments', { attachments: attachmentsDigest(attachments(), sha256) }],
    ['new name of a renamed object', { movedTo: ['sales', 'new'] }],
    ['contents', { inside: '' }],
  ])('changes with another %s', (_name, over) => {
    expect(findingDigest({ ...evidence, ...over }, sha256)).not.toBe(findingDigest(evidence, sha256));
  });

  test('tells any two pieces of evidence apart', () => {
    const text = fc.constantFrom('', 'a', 'b', '"', ',', '"a":"b"', '/');
    const any = fc.record({ entityId: text, version: text, epoch: text, verdict: text, code: text, attachments: text });
    fc.assert(
      fc.property(any, any, (one, other) => {
        const same = JSON.stringify(one) === JSON.stringify(other);
        const equal = findingDigest({ ...evidence, ...one }, plain) === findingDigest({ ...evidence, ...other }, plain);
        expect(equal).toBe(same);
      }),
    );
  });

  test('B89 is kept by every round that sees the same, and changed by one that does not', () => {
    const seen: readonly [VerdictName, string][] = [
      ['absent', 'e1'],
      ['absent', 'e1'],
      ['unknown', 'e1'],
      ['absent', 'e1'],
      ['absent', 'e2'],
      ['renamed', 'e2'],
      ['absent', 'e2'],
    ];
    const digests: string[] = [];
    let before: Standing | undefined;
    for (const [index, [verdict, epoch]] of seen.entries()) {
      const round = judgingRound({ seq: index + 1, now: t0 + index * 7 * hour, epoch, intervalMs: day });
      const move = moveFinding(before, judged(verdict), round);
      if (move.move !== 'open') throw new Error('the finding stays open');
      before = move.standing;
      const { verdict: stands, code, epoch: since } = before;
      digests.push(findingDigest({ ...evidence, verdict: stands, code, epoch: since }, sha256));
    }
    const [first, second, third, fourth, fifth, sixth, seventh] = digests;
    expect([second, third, fourth]).toEqual([first, first, first]);
    expect(new Set([first, fifth, sixth]).size).toBe(3);
    expect(seventh).toBe(fifth);
  });

  test('is of the documented parts only: no time, round or count', () => {
    expect(JSON.parse(findingDigest({ ...evidence, inside: 'd' }, plain))).toEqual({
      ...evidence,
      path: 'sales/orders',
      inside: 'd',
    });
  });
});

describe('the epoch', () => {
  const eyes: Eyes = {
    connection: { host: 'db', port: '5432' },
    principal: 'reader',
    fingerprint: 'f1',
    scope: { include: [], exclude: ['tmp'] },
  };

  test('is the same as long as we look with the same eyes', () => {
    const same = { ...eyes, connection: { port: '5432', host: 'db' }, scope: { exclude: ['tmp'], include: [] } };
    expect(epochOf(same, sha256)).toBe(epochOf(eyes, sha256));
    expect(epochOf(eyes, sha256)).toMatch(/^[0-9a-f]{16}$/);
  });

  test.each<[string, Partial<Eyes>]>([
    ['B40 the address of the source', { connection: { host: 'db', port: '5433' } }],
    ['B08 the principal', { principal: 'writer' }],
    ['the fingerprint of the source', { fingerprint: 'f2' }],
    ['B55 the exclude list', { scope: { include: [], exclude: [] } }],
    ['B20 the include list', { scope: { include: ['sales_*'], exclude: ['tmp'] } }],
  ])('begins anew with %s', (_name, over) => {
    expect(epochOf({ ...eyes, ...over }, sha256)).not.toBe(epochOf(eyes, sha256));
  });

  test('begins anew with another version of the rules', () => {
    const texts: string[] = [];
    epochOf(eyes, (text) => {
      texts.push(text);
      return sha256(text);
    });
    expect(texts).toEqual([expect.stringMatching(/"rulesVersion":\d+/)]);
  });
});
