import { expect, test } from 'vitest';
import { type ControlReading, readControls } from '../../src/domain/controls.ts';
import type { ProbeAnswer } from '../../src/domain/verdict.ts';

const answers = {
  present: { answer: 'present', code: 'row', found: 'table' },
  absent: { answer: 'absent', code: 'no-row' },
  parentAbsent: { answer: 'parent-absent', code: 'no-schema' },
  unknown: { answer: 'unknown', code: 'timeout' },
} as const satisfies Record<string, ProbeAnswer>;

type Name = keyof typeof answers;

test.each<[string, Name, Name, readonly Name[], ControlReading]>([
  ['all as they must be', 'present', 'absent', ['present', 'present', 'present'], 'trusted'],
  ['one known object is enough', 'present', 'absent', ['absent', 'unknown', 'present'], 'trusted'],
  ['nothing known yet', 'present', 'absent', [], 'no-known'],
  ['all known objects gone', 'present', 'absent', ['absent', 'absent', 'absent'], 'controls-absent'],
  ['all known objects gone with their schemas', 'present', 'absent', ['parentAbsent', 'absent'], 'controls-absent'],
  ['gone or unknown, none present', 'present', 'absent', ['absent', 'unknown'], 'untrusted'],
  ['no known object answered', 'present', 'absent', ['unknown', 'unknown'], 'untrusted'],
  ['B14 everything exists, the impossible too', 'present', 'present', ['present'], 'untrusted'],
  ['the impossible one got no answer', 'present', 'unknown', ['present'], 'untrusted'],
  ['the impossible one was not asked about itself', 'present', 'parentAbsent', ['present'], 'untrusted'],
  ['B08 nothing can be seen, the built-in object neither', 'absent', 'absent', ['absent'], 'untrusted'],
  ['the built-in object got no answer', 'unknown', 'absent', ['present'], 'untrusted'],
  ['the built-in object is missing and nothing is known', 'absent', 'absent', [], 'untrusted'],
])('controls: %s', (_name, builtin, impossible, known, reading) => {
  const controls = { builtin: answers[builtin], impossible: answers[impossible] };
  expect(readControls({ ...controls, known: known.map((name) => answers[name]) })).toBe(reading);
});
