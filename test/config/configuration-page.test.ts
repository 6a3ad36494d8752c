import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { configurationPage } from '../../scripts/print-configuration.ts';
import { policyFor } from '../../src/config/policy-for.ts';
import { variableOf } from '../../src/config/setting.ts';
import { listSettings } from '../../src/config/setting-list.ts';
import { settings } from '../../src/config/settings.ts';
import { loading } from './loading.ts';

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

describe('the documents', () => {
  test('docs/configuration.md is what scripts/print-configuration.ts prints', () => {
    expect(read('docs/configuration.md')).toBe(configurationPage());
  });

  test('the example can be used, and spells the defaults where it says so', () => {
    const config = loading(read('catalog-reconciler.example.yaml'), {
      SHOP_PASSWORD: 'a',
      ANALYTICS_PASSWORD: 'b',
      LAKE_SECRET: 'c',
    });
    expect(config.catalogs.map(({ catalog }) => catalog)).toEqual(['shop', 'files', 'analytics']);
    expect(policyFor(config, 'lake', 'shop').policy).toMatchObject({ misses: 2, graceMs: 86_400_000 });
  });

  test('no two settings share a variable', () => {
    const variables = listSettings(settings)
      .filter(({ byName }) => !byName)
      .map(({ key, setting }) => variableOf(key, setting));
    expect(new Set(variables).size).toBe(variables.length);
  });

  test('every default is a value that would be accepted', () => {
    for (const { key, setting } of listSettings(settings)) {
      if (setting.fallback !== undefined)
        expect(setting.shape.safeParse(setting.fallback).success, key.join('.')).toBe(true);
    }
  });
});
