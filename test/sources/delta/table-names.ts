import fc from 'fast-check';
import type { Path } from '../../../src/domain/path.ts';
import type { SourceWorld } from '../source-world.ts';

const pieces = [
  'a',
  'B',
  '.',
  '"',
  "'",
  '%',
  '?',
  '#',
  '+',
  '\\',
  ' ',
  '&',
  '<',
  '$',
  '-',
  'é',
  'e\u0301',
  'ß',
  '日',
  '😀',
];

/** Names of folders that both a disk and a bucket can hold. */
export const folderNames = fc
  .oneof(
    fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 10 }).map((parts) => parts.join('')),
    fc.constantFrom('a'.repeat(255), '日'.repeat(85), '2%2e', '...'),
  )
  .filter((name) => name.trim() === name && !/^\.{1,2}$/.test(name) && Buffer.byteLength(name) <= 255);

export const twinFolders: SourceWorld['twins'] = [
  ['Orders', 'orders'],
  ['caf\u00e9', 'cafe\u0301'],
  ['blank', 'blank '],
  ['ok', 'ok2'],
  ['ok2', 'ok'],
  ['50%off', '50_off'],
];

const table = (name: string) => ({ kind: 'table', path: [name] as Path }) as const;

export const doubtfulFolders: SourceWorld['doubtful'] = [
  { target: table('nul\0inside'), code: 'name-holds-nul' },
  { target: table('replaced\ufffd'), code: 'name-holds-replacement' },
  { target: table('up/../and/away'), code: 'location-ambiguous' },
  { target: table('line\nbreak'), code: 'location-ambiguous' },
  { target: table('..'), code: 'location-ambiguous' },
  { target: { kind: 'schema', path: ['sales'] }, code: 'kind-without-storage' },
  { target: { kind: 'view', path: ['sales'] }, code: 'kind-without-storage' },
  { target: { kind: 'topic', path: ['sales'] }, code: 'kind-without-storage' },
];
