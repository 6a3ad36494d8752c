import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Path, isInside, parentPath, pathText } from '../../../src/domain/path.ts';
import type { EntityKind } from '../../../src/domain/registration.ts';
import { type Attaching, type RegistryBench, calm, listed } from './registry-bench.ts';

const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** What every registry answers about what is registered. */
export function reading(bench: () => RegistryBench): void {
  describe('reading', () => {
    test('knows its catalogs by name, and says where there is none', async () => {
      const catalog = await bench().catalog();
      const found = await bench().registry.catalog(catalog.name, calm());
      expect(found).toMatchObject({ name: catalog.name, managedKinds: [] });
      expect(await bench().registry.catalog('nobody has this one', calm())).toBeUndefined();
      expect((await bench().registry.catalogs(calm())).map((each) => each.name)).toContain(catalog.name);
    });

    test('B32 a catalog that does not exist is an error, never an empty answer', async () => {
      const nowhere = 'nobody has this one';
      const wrong = { type: 'InvalidRequest' };
      await expect(bench().registry.count(nowhere, calm())).rejects.toMatchObject(wrong);
      await expect(bench().registry.registrations(nowhere, { limit: 10 }, calm())).rejects.toMatchObject(wrong);
      await expect(bench().registry.registration(nowhere, 'x', calm())).rejects.toMatchObject(wrong);
      await expect(bench().registry.inside(nowhere, ['s'], calm())).rejects.toMatchObject(wrong);
      await expect(bench().registry.dropsSince(nowhere, 0, calm())).rejects.toMatchObject(wrong);
    });

    test('an empty catalog has one empty page', async () => {
      const catalog = await bench().catalog();
      expect(await bench().registry.registrations(catalog.name, { limit: 10 }, calm())).toEqual({ items: [] });
      expect(await bench().registry.count(catalog.name, calm())).toBe(0);
    });

    test('pages hold each registration once, containers before their contents, and count agrees', async () => {
      const paths = fc.uniqueArray(
        fc.array(
          fc.string({
            minLength: 1,
            maxLength: 3,
            unit: fc.constantFrom('a', 'b', '%', '/', '.', ' ', '-', 'é', '名', '😀'),
          }),
          {
            minLength: 1,
            maxLength: 3,
          },
        ),
        { maxLength: 12, selector: (levels) => JSON.stringify(levels) },
      );
      await fc.assert(
        fc.asyncProperty(paths, fc.integer({ min: 1, max: 5 }), async (wanted, limit) => {
          const catalog = await bench().catalog();
          const items = registrationsAt(wanted as unknown as Path[]);
          await catalog.addAll([...items.values()]);
          const all = await listed(bench(), catalog, limit);
          expect(all.map(({ path }) => pathText(path))).toEqual([...items.keys()].sort(byCodePoint));
          expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
          expect(await bench().registry.count(catalog.name, calm())).toBe(all.length);
          for (const [index, { path }] of all.entries()) {
            const parent = parentPath(path);
            if (parent === undefined) continue;
            expect(all.findIndex((each) => pathText(each.path) === pathText(parent))).toBeLessThan(index);
          }
        }),
        { numRuns: 20 },
      );
    });

    test('one of the names that a schema and a table share does not hide the other at the end of a page', async () => {
      const catalog = await bench().catalog();
      await catalog.add('schema', ['a']);
      await catalog.add('schema', ['a', 'b']);
      await catalog.add('table', ['a', 'b']);
      for (const limit of [1, 2, 3]) {
        const kinds = (await listed(bench(), catalog, limit)).map(({ kind, path }) => `${kind} ${pathText(path)}`);
        expect(kinds.sort()).toEqual(['schema a', 'schema a/b', 'table a/b']);
      }
    });

    test('what is registered while pages are read does not make them repeat or skip anything', async () => {
      const catalog = await bench().catalog();
      for (const each of ['b', 'd', 'f']) await catalog.add('schema', [each]);
      const first = await bench().registry.registrations(catalog.name, { limit: 2 }, calm());
      await catalog.add('schema', ['a']);
      await catalog.add('schema', ['e']);
      const rest = await bench().registry.registrations(catalog.name, { after: first.next ?? '', limit: 10 }, calm());
      expect(rest.items.map(({ path }) => path[0])).toEqual(['e', 'f']);
    });

    test('a registration is read by id, and is gone when it is gone', async () => {
      const catalog = await bench().catalog();
      const added = await catalog.add('schema', ['Looker- 2.0 Test']);
      expect(await bench().registry.registration(catalog.name, added.id, calm())).toEqual(added);
      await catalog.drop(added.id);
      expect(await bench().registry.registration(catalog.name, added.id, calm())).toBeUndefined();
    });

    test('inside holds every depth, and neither the container nor a neighbour of a longer name', async () => {
      const catalog = await bench().catalog();
      await catalog.add('schema', ['a']);
      await catalog.add('schema', ['a', 'b']);
      await catalog.add('table', ['a', 'b', 't']);
      await catalog.add('view', ['a', 'v']);
      for (const neighbour of ['a0', 'a!', 'a/b', 'ab']) await catalog.add('schema', [neighbour]);
      await catalog.add('table', ['a0', 't']);
      const inside = await bench().registry.inside(catalog.name, ['a'], calm());
      expect(inside.map(({ path }) => pathText(path)).sort()).toEqual(['a/b', 'a/b/t', 'a/v']);
      expect(inside.every(({ path }) => isInside(path, ['a']))).toBe(true);
      expect(await bench().registry.inside(catalog.name, ['nothing'], calm())).toEqual([]);
    });

    test('attachments come by id, sorted, without an entry for what is gone', async () => {
      const catalog = await bench().catalog();
      await catalog.add('schema', ['s']);
      const rich = await catalog.add('table', ['s', 'rich']);
      const plain = await catalog.add('table', ['s', 'plain']);
      await catalog.attach(rich.id, {
        owner: 'ada',
        comment: 'orders of the shop',
        tags: ['pii', 'Gold', 'pii'],
        policies: ['mask'],
        grants: [
          { principal: 'bob', privilege: 'select' },
          { principal: 'ann', privilege: 'select' },
        ],
        properties: { format: 'delta' },
      });
      const found = await bench().registry.attachments(catalog.name, [rich.id, plain.id, 'gone'], calm());
      expect([...found.keys()].sort()).toEqual([plain.id, rich.id].sort());
      expect(found.get(rich.id)).toEqual({
        owner: 'ada',
        comment: 'orders of the shop',
        tags: ['Gold', 'pii'],
        policies: ['mask'],
        grants: [
          { principal: 'ann', privilege: 'select' },
          { principal: 'bob', privilege: 'select' },
        ],
        properties: { format: 'delta' },
      });
      expect(found.get(plain.id)).toMatchObject({ tags: [], policies: [], grants: [], properties: {} });
      expect((await bench().registry.attachments(catalog.name, [], calm())).size).toBe(0);
    });

    test('any change of an attachment raises the version', async () => {
      const catalog = await bench().catalog();
      const { id } = await catalog.add('schema', ['s']);
      const changes: Attaching[] = [
        { owner: 'somebody else' },
        { comment: 'c' },
        { tags: ['t'] },
        { policies: ['p'] },
        { grants: [{ principal: 'ann', privilege: 'use' }] },
        { properties: { k: 'v' } },
      ];
      const seen = new Set([(await bench().registry.registration(catalog.name, id, calm()))?.version]);
      for (const change of changes) {
        await catalog.attach(id, change);
        seen.add((await bench().registry.registration(catalog.name, id, calm()))?.version);
      }
      expect(seen.size).toBe(changes.length + 1);
    });

    test('a call that was aborted before it began does not answer', async () => {
      const catalog = await bench().catalog();
      await expect(bench().registry.count(catalog.name, AbortSignal.abort())).rejects.toThrow();
      await expect(bench().registry.catalogs(AbortSignal.abort())).rejects.toThrow();
    });
  });
}

/** Tables at the paths, and whatever schemas it takes to hold them, by path text. */
function registrationsAt(paths: readonly Path[]): ReadonlyMap<string, { kind: EntityKind; path: Path }> {
  const items = new Map<string, { kind: EntityKind; path: Path }>();
  for (const path of paths) {
    for (let at = parentPath(path); at !== undefined; at = parentPath(at)) {
      items.set(pathText(at), { kind: 'schema', path: at });
    }
  }
  for (const path of paths) {
    if (!items.has(pathText(path))) items.set(pathText(path), { kind: path.length === 1 ? 'schema' : 'table', path });
  }
  return items;
}
