import { describe, expect, test } from 'vitest';
import type { Path } from '../../../src/domain/path.ts';
import type { Attachments, EntityKind, Registration } from '../../../src/domain/registration.ts';
import type { RestoreRequest } from '../../../src/registries/registry.ts';
import { type Attaching, type CatalogBench, type RegistryBench, calm, judged, listed } from './registry-bench.ts';

/** What every registry that can restore does about it: all of it or nothing. */
export function restoring(bench: () => RegistryBench): void {
  describe('restoring', () => {
    const rich: Attaching = {
      owner: 'ada',
      comment: 'orders of the shop',
      tags: ['audit', 'gold', 'pii'],
      policies: ['mask'],
      grants: [{ principal: 'ann', privilege: 'select' }],
      properties: { format: 'delta' },
    };

    /** Saves what is there as the reconciler does, and removes it. */
    async function removed(catalog: CatalogBench, outermost: Registration): Promise<RestoreRequest> {
      const request = await judged(bench(), catalog, outermost);
      const self = await bench().registry.registration(catalog.name, outermost.id, calm());
      const inside = await bench().registry.inside(catalog.name, outermost.path, calm());
      const all = self === undefined ? inside : [self, ...inside];
      const ids = all.map(({ id }) => id);
      const attached = await bench().registry.attachments(catalog.name, ids, calm());
      expect(await bench().registry.remove(request)).toEqual({ outcome: 'removed', entities: all.length });
      return {
        catalog: catalog.name,
        restoreId: `restore-${outermost.id}`,
        intentId: request.intentId,
        entities: all.map(({ id, kind, path, version }) => {
          return { id, kind, path, version, attachments: attached.get(id) ?? 'unseen' };
        }),
        actor: 'ada',
      };
    }

    const restored = (entities: number) => ({ outcome: 'restored', entities, warnings: [] });

    test.each<EntityKind>(['schema', 'table', 'view', 'topic'])(
      'B64 a %s comes back as it was, under its id; of its secrets the names were known beforehand',
      async (kind) => {
        const catalog = await bench().catalog();
        if (kind !== 'schema') await catalog.add('schema', ['s']);
        const path: Path = kind === 'schema' ? ['s'] : ['s', 'x'];
        const { id } = await catalog.add(kind, path);
        await catalog.attach(id, { ...rich, secrets: { password: 'hunter2' } });
        const before = await bench().registry.registration(catalog.name, id, calm());
        const attached = (await bench().registry.attachments(catalog.name, [id], calm())).get(id);
        expect(attached).toEqual({ ...rich, secrets: ['password'] });
        if (before === undefined) throw new Error('it is not registered');
        const request = await removed(catalog, before);
        bench().clock.now += 1_000;
        expect(await bench().registry.restore(request)).toEqual(restored(1));
        const after = await bench().registry.registration(catalog.name, id, calm());
        expect(after).toEqual({ ...before, version: after?.version });
        expect((await bench().registry.attachments(catalog.name, [id], calm())).get(id)).toEqual(rich);
        expect(JSON.stringify(request)).not.toContain('hunter2');
      },
    );

    test('a version is never used again, however often something goes and comes back', async () => {
      const catalog = await bench().catalog();
      const schema = await catalog.add('schema', ['s']);
      const versions = [schema.version];
      for (let turn = 0; turn < 3; turn += 1) {
        const request = await removed(catalog, schema);
        const { intentId } = request;
        expect(await bench().registry.outcomeOf(catalog.name, intentId, calm())).toBe('removed');
        expect(await bench().registry.restore(request)).toEqual(restored(1));
        versions.push((await bench().registry.registration(catalog.name, schema.id, calm()))?.version ?? 'gone');
      }
      expect(new Set(versions).size).toBe(4);
    });

    test('a container comes back with everything that went with it', async () => {
      const catalog = await bench().catalog();
      const schema = await catalog.add('schema', ['s']);
      await catalog.add('schema', ['s', 'deep']);
      const table = await catalog.add('table', ['s', 'deep', 't']);
      await catalog.attach(table.id, rich);
      const before = await listed(bench(), catalog);
      const request = await removed(catalog, schema);
      expect(await listed(bench(), catalog)).toEqual([]);
      expect(await bench().registry.restore({ ...request, entities: [...request.entities].reverse() })).toEqual(
        restored(3),
      );
      const after = await listed(bench(), catalog);
      expect(after.map(({ id, path }) => [id, path])).toEqual(before.map(({ id, path }) => [id, path]));
      expect((await bench().registry.attachments(catalog.name, [table.id], calm())).get(table.id)).toEqual(rich);
      expect(await bench().registry.remove(await judged(bench(), catalog, schema))).toEqual({
        outcome: 'removed',
        entities: 3,
      });
    });

    test('nobody becomes the owner of what had none, and what was not seen comes back without', async () => {
      const catalog = await bench().catalog();
      const schema = await catalog.add('schema', ['s']);
      await catalog.addAll([{ kind: 'table', path: ['s', 't'] }]);
      const [, table] = await listed(bench(), catalog);
      if (table === undefined) throw new Error('nothing was added');
      expect(await bench().registry.restore(await removed(catalog, table))).toEqual(restored(1));
      const { owner } = (await bench().registry.attachments(catalog.name, [table.id], calm())).get(
        table.id,
      ) as Attachments;
      expect(owner).toBeUndefined();
      const request = await removed(catalog, schema);
      const unseen = request.entities.map((entity) => ({ ...entity, attachments: 'unseen' as const }));
      expect(await bench().registry.restore({ ...request, entities: unseen })).toMatchObject({ outcome: 'restored' });
      expect((await bench().registry.attachments(catalog.name, [schema.id], calm())).get(schema.id)).toMatchObject({
        tags: [],
      });
    });

    test('a request that is repeated, or finds a part of it done, is answered like the first', async () => {
      const catalog = await bench().catalog();
      const schema = await catalog.add('schema', ['s']);
      await catalog.add('table', ['s', 't']);
      const request = await removed(catalog, schema);
      const [outermost] = request.entities;
      if (outermost === undefined) throw new Error('nothing went');
      expect(await bench().registry.restore({ ...request, entities: [outermost] })).toEqual(restored(1));
      expect(await bench().registry.restore(request)).toEqual(restored(2));
      const before = await listed(bench(), catalog);
      expect(await bench().registry.restore(request)).toEqual(restored(2));
      expect(await listed(bench(), catalog)).toEqual(before);
    });

    test.each<[string, (catalog: CatalogBench, schema: Registration) => Promise<unknown>, string]>([
      ['its name is registered again', (catalog) => catalog.add('table', ['s', 't']), 'already-exists'],
      ['a view has its name', (catalog) => catalog.add('view', ['s', 't']), 'already-exists'],
      ['its container is gone', (catalog, { id }) => catalog.drop(id), 'not-found'],
      ['its container has another name', (catalog, { id }) => catalog.rename(id, ['new']), 'not-found'],
    ])('brings nothing back where %s', async (_name, happening, reason) => {
      const catalog = await bench().catalog();
      const schema = await catalog.add('schema', ['s']);
      const request = await removed(catalog, await catalog.add('table', ['s', 't']));
      await happening(catalog, schema);
      const before = await listed(bench(), catalog);
      expect(await bench().registry.restore(request)).toEqual({ outcome: 'refused', reason });
      expect(await listed(bench(), catalog)).toEqual(before);
    });

    test('all of it or nothing: one taken name inside keeps the container out', async () => {
      const catalog = await bench().catalog();
      const schema = await catalog.add('schema', ['s']);
      await catalog.add('table', ['s', 't']);
      const request = await removed(catalog, schema);
      await catalog.add('schema', ['s']);
      const before = await listed(bench(), catalog);
      expect(await bench().registry.restore(request)).toMatchObject({ outcome: 'refused' });
      expect(await listed(bench(), catalog)).toEqual(before);
    });

    test('B73 what somebody dropped after it had come back stays dropped', async () => {
      const catalog = await bench().catalog();
      const schema = await catalog.add('schema', ['s']);
      const request = await removed(catalog, schema);
      await bench().registry.restore(request);
      await catalog.drop(schema.id);
      expect(await bench().registry.restore(request)).toEqual({ outcome: 'refused', reason: 'not-found' });
      expect(await listed(bench(), catalog)).toEqual([]);
    });
  });
}
