import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { configurationSchema, configurationSchemaText } from '../../scripts/print-configuration-schema.ts';

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

const fits = new Ajv2020({ strictTypes: false, allowUnionTypes: true }).compile(configurationSchema());

/** Where a document does not fit: its first fault, as an editor would underline it. */
function faultOf(yaml: string): string | undefined {
  if (fits(parse(yaml))) return undefined;
  const [fault] = fits.errors ?? [];
  return `${fault?.instancePath} ${fault?.keyword}`;
}

describe('docs/configuration.schema.json', () => {
  test('is what scripts/print-configuration-schema.ts prints', () => {
    expect(read('docs/configuration.schema.json')).toBe(configurationSchemaText());
  });

  test('is what the example names for editors, and fits it', () => {
    const example = read('catalog-reconciler.example.yaml');
    expect(example.split('\n')[0]).toBe('# yaml-language-server: $schema=docs/configuration.schema.json');
    expect(faultOf(example)).toBeUndefined();
    // with the keys that the example shows commented out
    expect(faultOf(example.replace(/^# (?=(auth|delta|ledger|registry|temporal):|  )/gm, ''))).toBeUndefined();
  });

  test('takes a key with nothing below it, which is read as if it were not there', () => {
    expect(faultOf('ledger:\nmetalakes:\n  lake:\n    catalogs:')).toBeUndefined();
  });

  test.each([
    ['a key that does not exist', { serverr: { port: 1 } }, ' additionalProperties'],
    ['one inside a section', { server: { prt: 1 } }, '/server additionalProperties'],
    [
      'one below a name of the user’s',
      { metalakes: { lake: { catalogs: { shop: { povider: 'postgresql' } } } } },
      '/metalakes/lake/catalogs/shop additionalProperties',
    ],
    ['a value out of range', { server: { port: 70_000 } }, '/server/port maximum'],
    ['a value of another type', { reconcile: { enabled: 'yes' } }, '/reconcile/enabled type'],
    ['fewer misses than are ever enough', { reconcile: { misses: 1 } }, '/reconcile/misses minimum'],
    ['a word that is none of the few', { reconcile: { policy: 'remove' } }, '/reconcile/policy enum'],
    ['a password in plain text', { ledger: { password: 'secret' } }, '/ledger/password type'],
    ['a value where keys belong', { server: 8080 }, '/server type'],
  ])('refuses %s', (_what, document, fault) => {
    expect(faultOf(stringify(document))).toBe(fault);
  });
});
