import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestLedger } from '../support/ledger.ts';
import { type ApiHouse, openHouse, openTestLedger } from './api-house.ts';

let at: TestLedger;
let house: ApiHouse;
beforeAll(async () => {
  at = await openTestLedger();
  house = await openHouse(at);
});
afterAll(async () => {
  await house.close();
  await at.close();
});

describe('GET /api/docs', () => {
  const read = (url: string) => house.app.inject({ url });

  test('is a page whose parts all come from here', async () => {
    const page = await read('/api/docs');
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toContain('text/html');
    const parts = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, part = '']) => part);
    expect(parts.length).toBeGreaterThan(4);
    for (const part of parts) {
      const { pathname, host } = new URL(part, 'http://127.0.0.1/api/docs');
      expect(host).toBe('127.0.0.1');
      expect((await read(pathname)).statusCode, part).toBe(200);
    }
    expect((await read('/api/docs/json')).json()).toEqual((await read('/api/openapi.json')).json());
  });

  test('lets a browser run and fetch nothing from elsewhere', async () => {
    for (const url of ['/api/docs', '/api/docs/static/swagger-ui-bundle.js']) {
      const policy = String((await read(url)).headers['content-security-policy']);
      expect(policy).toContain("default-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|https?:/);
    }
    expect((await read('/api/docs/static/swagger-initializer.js')).body).not.toContain('validator.swagger.io');
  });

  test('reads nothing outside of its folder', async () => {
    for (const url of [
      '/api/docs/static/../package.json',
      '/api/docs/static/%2e%2e/package.json',
      '/api/docs/static/..%2fpackage.json',
    ]) {
      expect((await read(url)).statusCode, url).toBeGreaterThanOrEqual(400);
    }
  });
});
