import { describe, expect, test } from 'vitest';
import { pathText } from '../../../src/domain/path.ts';
import type { Registration } from '../../../src/domain/registration.ts';
import type { RemoveRequest } from '../../../src/registries/registry.ts';
import { type CatalogBench, type RegistryBench, calm, judged, listed } from './registry-bench.ts';

/** What every registry does about a removal: exactly what was judged, or nothing. */
export function removing(bench: () => RegistryBench): void {
  describe('removing', () => {
    test('B49 takes out one table, asks the source first, and leaves a trace of the intent', async () => {
      const catalog = await bench().catalog();
      await catalog.add('schema', ['s']);
      const table = await catalog.add('table', ['s', 't']);
      const before = bench().clock.now;
      const request = await judged(bench(), catalog, table);
      expect(await bench().registry.outcomeOf(catalog.name, request.intentId, calm())).toBe('no-trace');
      expect(await bench().registry.remove(request)).toEqual({ outcome: 'removed', entities: 1 });
      expect(catalog.asked()).toEqual(['s/t']);
      expect(await bench().registry.registration(catalog.name, table.id, calm())).toBeUndefined();
      expect(await bench().registry.outcomeOf(catalog.name, request.intentId, calm())).toBe('removed');
      expect(await bench().registry.outcomeOf(catalog.name, 'another intent', calm())).toBe('no-trace');
      expect(await bench().registry.dropsSince(catalog.name, before, calm())).toBe(1);
      expect(await bench().registry.dropsSince(catalog.name, bench().clock.now + 1, calm())).toBe(0);
      expect((await listed(bench(), catalog)).map(({ path }) => pathText(path))).toEqual(['s']);
    });

    test('a container takes exactly what was judged inside it', async () => {
      const catalog = await bench().catalog();
      const schema = await catalog.add('schema', ['s']);
      await catalog.add('schema', ['s', 'deep']);
      await catalog.add('table', ['s', 'deep', 't']);
      await catalog.add('view', ['s', 'v']);
      await catalog.add('schema', ['other']);
      expect(await bench().registry.remove(await judged(bench(), catalog, schema))).toEqual({
        outcome: 'removed',
        entities: 4,
      });
      expect([...catalog.asked()].sort()).toEqual(['s', 's/deep', 's/deep/t', 's/v']);
      expect((await listed(bench(), catalog)).map(({ path }) => pathText(path))).toEqual(['other']);
      expect(await bench().registry.dropsSince(catalog.name, 0, calm())).toBe(4);
    });

    test.each<[string, (catalog: CatalogBench, table: Registration, child: Registration) => Promise<unknown>, object]>([
      [
        'B41 its version is another one',
        (catalog, schema) => catalog.attach(schema.id, { comment: 'still wanted' }),
        { outcome: 'changed', reason: 'version-changed' },
      ],
      [
        'B41 it was renamed',
        (catalog, schema) => catalog.rename(schema.id, ['elsewhere']),
        { outcome: 'changed', reason: 'moved' },
      ],
      [
        'B43 a child was registered since',
        (catalog) => catalog.add('table', ['s', 'new']),
        { outcome: 'changed', reason: 'new-child' },
      ],
      [
        'a child was changed since',
        (catalog, _schema, child) => catalog.attach(child.id, { tags: ['wanted'] }),
        { outcome: 'changed', reason: 'child-changed' },
      ],
      [
        'a child was renamed since',
        (catalog, _schema, child) => catalog.rename(child.id, ['s', 'renamed']),
        { outcome: 'changed', reason: 'child-changed' },
      ],
      [
        'a child is gone since',
        (catalog, _schema, child) => catalog.drop(child.id),
        { outcome: 'changed', reason: 'child-gone' },
      ],
      ['B44 it is gone already', (catalog, schema) => catalog.drop(schema.id), { outcome: 'already-gone' }],
      [
        'its name belongs to another registration by now',
        async (catalog, schema) => {
          await catalog.drop(schema.id);
          await catalog.add('schema', ['s']);
        },
        { outcome: 'already-gone' },
      ],
      [
        'the source still has it',
        async (catalog) => catalog.sourceSays(['s'], 'present'),
        { outcome: 'present', reason: 's' },
      ],
      [
        'the source still has something inside it',
        async (catalog) => catalog.sourceSays(['s', 't'], 'present'),
        { outcome: 'present', reason: 's/t' },
      ],
      [
        'the source cannot tell',
        async (catalog) => catalog.sourceSays(['s'], 'unknown'),
        { outcome: 'refused', reason: 'source-unknown' },
      ],
      [
        'the source cannot tell about something inside it',
        async (catalog) => catalog.sourceSays(['s', 't'], 'unknown'),
        { outcome: 'refused', reason: 'source-unknown' },
      ],
      [
        'the time to act is over',
        async () => void (bench().clock.now += 10_001),
        { outcome: 'refused', reason: 'too-late' },
      ],
    ])('removes nothing where %s', async (_name, happening, answer) => {
      const catalog = await bench().catalog();
      const schema = await catalog.add('schema', ['s']);
      const child = await catalog.add('table', ['s', 't']);
      const request = await judged(bench(), catalog, schema);
      await happening(catalog, schema, child);
      const before = await listed(bench(), catalog);
      expect(await bench().registry.remove(request)).toEqual(answer);
      expect(await listed(bench(), catalog)).toEqual(before);
      expect(await bench().registry.outcomeOf(catalog.name, request.intentId, calm())).toBe('no-trace');
    });

    test.each<[string, Partial<RemoveRequest>, object]>([
      ['another kind', { kind: 'view' }, { outcome: 'changed', reason: 'kind-changed' }],
      ['another path', { path: ['s', 'u'] }, { outcome: 'changed', reason: 'moved' }],
      ['another version', { expectedVersion: 'never' }, { outcome: 'changed', reason: 'version-changed' }],
      [
        'contents it never had',
        { expectedInside: [{ id: 'x', version: '1' }] },
        { outcome: 'changed', reason: 'child-gone' },
      ],
      ['an id that nothing has', { id: 'never registered' }, { outcome: 'already-gone' }],
      [
        'a catalog that does not exist',
        { catalog: 'nobody has this one' },
        { outcome: 'refused', reason: 'not-found' },
      ],
    ])('removes nothing where the request names %s', async (_name, wrong, answer) => {
      const catalog = await bench().catalog();
      await catalog.add('schema', ['s']);
      const table = await catalog.add('table', ['s', 't']);
      expect(await bench().registry.remove({ ...(await judged(bench(), catalog, table)), ...wrong })).toEqual(answer);
      expect(await bench().registry.count(catalog.name, calm())).toBe(2);
    });

    test('managed kinds stay, alone and inside a container', async () => {
      const catalog = await bench().catalog(['table']);
      const schema = await catalog.add('schema', ['s']);
      const table = await catalog.add('table', ['s', 't']);
      expect(table.managed).toBe(true);
      expect(schema.managed).toBe(false);
      const refused = { outcome: 'refused', reason: 'managed' };
      expect(await bench().registry.remove(await judged(bench(), catalog, table))).toEqual(refused);
      expect(await bench().registry.remove(await judged(bench(), catalog, schema))).toEqual(refused);
      expect(catalog.asked()).toEqual([]);
      expect(await bench().registry.count(catalog.name, calm())).toBe(2);
    });

    test.each<[string, (catalog: CatalogBench, schema: Registration) => Promise<unknown>, object]>([
      [
        'B43 a child is registered',
        (catalog) => catalog.add('table', ['s', 'new']),
        { outcome: 'changed', reason: 'new-child' },
      ],
      ['B41 it is renamed', (catalog, { id }) => catalog.rename(id, ['new']), { outcome: 'changed', reason: 'moved' }],
      [
        'somebody attaches something',
        (catalog, { id }) => catalog.attach(id, { owner: 'ada' }),
        { outcome: 'changed', reason: 'version-changed' },
      ],
      ['somebody drops it', (catalog, { id }) => catalog.drop(id), { outcome: 'already-gone' }],
      [
        'the time to act runs out',
        async () => void (bench().clock.now += 10_001),
        { outcome: 'refused', reason: 'too-late' },
      ],
      [
        'the question to the source breaks off',
        async () => {
          throw new Error('connection reset');
        },
        { outcome: 'refused', reason: 'source-unknown' },
      ],
    ])('%s while the source is asked: nothing is removed', async (_name, happening, answer) => {
      const catalog = await bench().catalog();
      const schema = await catalog.add('schema', ['s']);
      const request = await judged(bench(), catalog, schema);
      catalog.whileAsking(['s'], () => happening(catalog, schema));
      expect(await bench().registry.remove(request)).toEqual(answer);
      expect(await bench().registry.outcomeOf(catalog.name, request.intentId, calm())).toBe('no-trace');
    });

    test('B44 of two removals of one registration exactly one removes, the other finds it gone', async () => {
      const catalog = await bench().catalog();
      const schema = await catalog.add('schema', ['s']);
      const request = await judged(bench(), catalog, schema);
      const answers = await Promise.all([
        bench().registry.remove({ ...request, intentId: `${schema.id}-1` }),
        bench().registry.remove({ ...request, intentId: `${schema.id}-2` }),
      ]);
      expect(answers.map(({ outcome }) => outcome).sort()).toEqual(['already-gone', 'removed']);
      expect(await bench().registry.dropsSince(catalog.name, 0, calm())).toBe(1);
    });

    test('B41 of a removal and a rename exactly one wins', async () => {
      for (let attempt = 0; attempt < 8; attempt += 1) {
        const catalog = await bench().catalog();
        const schema = await catalog.add('schema', ['s']);
        const table = await catalog.add('table', ['s', 't']);
        await catalog.attach(table.id, { owner: 'ada' });
        const request = await judged(bench(), catalog, schema);
        const rename = () => catalog.rename(table.id, ['s', 'renamed']);
        const both =
          attempt % 2 === 0
            ? [bench().registry.remove(request), rename()]
            : [rename(), bench().registry.remove(request)].reverse();
        const [removal, renamed] = await Promise.allSettled(both);
        const left = (await listed(bench(), catalog)).map(({ path }) => pathText(path));
        if (renamed?.status === 'fulfilled') {
          expect(removal).toMatchObject({ value: { outcome: 'changed' } });
          expect(left).toEqual(['s', 's/renamed']);
          const kept = await bench().registry.attachments(catalog.name, [table.id], calm());
          expect(kept.get(table.id)).toMatchObject({ owner: 'ada' });
        } else {
          expect(removal).toMatchObject({ value: { outcome: 'removed' } });
          expect(left).toEqual([]);
        }
      }
    });

    test('B68 what is registered again after a removal has another id', async () => {
      const catalog = await bench().catalog();
      const schema = await catalog.add('schema', ['s']);
      const request = await judged(bench(), catalog, schema);
      await bench().registry.remove(request);
      const again = await catalog.add('schema', ['s']);
      expect(again.id).not.toBe(schema.id);
      expect(await bench().registry.remove(request)).toEqual({ outcome: 'already-gone' });
      expect(await bench().registry.registration(catalog.name, again.id, calm())).toEqual(again);
    });
  });
}
