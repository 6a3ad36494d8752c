import { describe, expect, test } from 'vitest';
import { type Path, pathText } from '../../../src/domain/path.ts';
import type { Registration } from '../../../src/domain/registration.ts';
import type { RepointRequest } from '../../../src/registries/registry.ts';
import { type CatalogBench, type RegistryBench, calm, listed } from './registry-bench.ts';

/** What every registry that can rename does about a re-pointing. */
export function repointing(bench: () => RegistryBench): void {
  describe('re-pointing', () => {
    async function wished(catalog: CatalogBench, { id, kind, path }: Registration, to: Path): Promise<RepointRequest> {
      const now = await bench().registry.registration(catalog.name, id, calm());
      return {
        catalog: catalog.name,
        id,
        kind,
        path,
        to,
        intentId: `intent-${id}`,
        expectedVersion: now?.version ?? 'none',
        actor: 'ada',
        notAfter: bench().clock.now + 10_000,
      };
    }

    test('B37 gives a table its new name, in another schema too, and keeps its id and all that is attached', async () => {
      const catalog = await bench().catalog();
      await catalog.add('schema', ['s']);
      await catalog.add('schema', ['other']);
      const table = await catalog.add('table', ['s', 't']);
      const attachments = { owner: 'ada', tags: ['pii'], grants: [{ principal: 'ann', privilege: 'select' }] };
      await catalog.attach(table.id, attachments);
      const before = await bench().registry.registration(catalog.name, table.id, calm());
      const request = await wished(catalog, table, ['other', 'u']);
      expect(await bench().registry.repoint(request)).toEqual({ outcome: 'repointed', entities: 1 });
      const after = await bench().registry.registration(catalog.name, table.id, calm());
      expect(after).toMatchObject({ id: table.id, path: ['other', 'u'], createdAt: table.createdAt });
      expect(after?.version).not.toBe(before?.version);
      expect((await bench().registry.attachments(catalog.name, [table.id], calm())).get(table.id)).toMatchObject(
        attachments,
      );
      expect(await bench().registry.repoint(request)).toEqual({ outcome: 'already' });
      expect(await bench().registry.dropsSince(catalog.name, 0, calm())).toBe(0);
    });

    test('a container takes along what is inside', async () => {
      const catalog = await bench().catalog();
      const schema = await catalog.add('schema', ['s']);
      await catalog.add('table', ['s', 't']);
      const request = await wished(catalog, schema, ['new']);
      expect(await bench().registry.repoint(request)).toEqual({ outcome: 'repointed', entities: 2 });
      expect((await listed(bench(), catalog)).map(({ path }) => pathText(path))).toEqual(['new', 'new/t']);
    });

    test.each<[string, (catalog: CatalogBench, table: Registration) => Promise<unknown>, object]>([
      [
        'its version is another one',
        (catalog, { id }) => catalog.attach(id, { comment: 'new' }),
        { outcome: 'changed', reason: 'version-changed' },
      ],
      [
        'it was renamed to something else',
        (catalog, { id }) => catalog.rename(id, ['s', 'third']),
        { outcome: 'changed', reason: 'moved' },
      ],
      ['it is gone', (catalog, { id }) => catalog.drop(id), { outcome: 'already-gone' }],
      [
        'the new name is registered',
        (catalog) => catalog.add('table', ['s', 'u']),
        { outcome: 'refused', reason: 'already-exists' },
      ],
      [
        'the time to act is over',
        async () => void (bench().clock.now += 10_001),
        { outcome: 'refused', reason: 'too-late' },
      ],
    ])('changes nothing where %s', async (_name, happening, answer) => {
      const catalog = await bench().catalog();
      await catalog.add('schema', ['s']);
      const table = await catalog.add('table', ['s', 't']);
      const request = await wished(catalog, table, ['s', 'u']);
      await happening(catalog, table);
      const before = await listed(bench(), catalog);
      expect(await bench().registry.repoint(request)).toEqual(answer);
      expect(await listed(bench(), catalog)).toEqual(before);
    });

    test.each<[string, Partial<RepointRequest>, object]>([
      ['another kind', { kind: 'view' }, { outcome: 'changed', reason: 'kind-changed' }],
      ['a container that is not registered', { to: ['nowhere', 't'] }, { outcome: 'refused', reason: 'not-found' }],
      ['a name that none can have', { to: ['s', ''] }, { outcome: 'refused', reason: 'invalid-name' }],
      ['a catalog that does not exist', { catalog: 'nobody' }, { outcome: 'refused', reason: 'not-found' }],
    ])('changes nothing where the request names %s', async (_name, wrong, answer) => {
      const catalog = await bench().catalog();
      await catalog.add('schema', ['s']);
      const table = await catalog.add('table', ['s', 't']);
      expect(await bench().registry.repoint({ ...(await wished(catalog, table, ['s', 'u'])), ...wrong })).toEqual(
        answer,
      );
      expect((await bench().registry.registration(catalog.name, table.id, calm()))?.path).toEqual(['s', 't']);
    });

    test('managed kinds keep their names', async () => {
      const catalog = await bench().catalog(['table']);
      await catalog.add('schema', ['s']);
      const table = await catalog.add('table', ['s', 't']);
      const answer = await bench().registry.repoint(await wished(catalog, table, ['s', 'u']));
      expect(answer).toEqual({ outcome: 'refused', reason: 'managed' });
    });
  });
}
