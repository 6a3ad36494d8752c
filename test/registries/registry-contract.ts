import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Path, isInside, parentPath, pathText } from '../../src/domain/path.ts';
import type { Attachments, EntityKind, Registration } from '../../src/domain/registration.ts';
import type { Registry, RemoveRequest, RepointRequest, RestoreRequest } from '../../src/registries/registry.ts';

/** A registry under test, and the hands of everybody else who uses it. */
export interface RegistryBench {
  readonly registry: Registry;
  /** A fresh catalog with nothing in it; nobody manages any storage unless said so. */
  catalog(managedKinds?: readonly EntityKind[]): Promise<CatalogBench>;
  /** The clock that the registry looks at. */
  readonly clock: { now: number };
  close(): Promise<void>;
}

/** What people attach; secrets go in with what they hold, and come out by name. */
export type Attaching = Partial<Omit<Attachments, 'secrets'>> & { readonly secrets?: Readonly<Record<string, string>> };

export interface CatalogBench {
  readonly name: string;
  add(kind: EntityKind, path: Path): Promise<Registration>;
  /** Many at once, in any order. */
  addAll(items: readonly { readonly kind: EntityKind; readonly path: Path }[]): Promise<unknown>;
  attach(id: string, what: Attaching): Promise<void>;
  rename(id: string, to: Path): Promise<void>;
  /** Somebody drops it in the registry, with all that is inside. */
  drop(id: string): Promise<void>;
  /** What the source answers when the removal asks for the last time; `absent` unless said otherwise. */
  sourceSays(path: Path, answer: 'absent' | 'present' | 'unknown'): void;
  /** Happens once, while the source is asked for the last time. */
  whileAsking(path: Path, happening: () => Promise<unknown>): void;
  /** What the source was asked about. */
  asked(): readonly string[];
}

const calm = () => new AbortController().signal;
const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** What every adapter of the port does. Open one bench for the whole suite; each test has a catalog of its own. */
export function registryContract(name: string, open: () => Promise<RegistryBench>): void {
  describe(`the Registry port: ${name}`, () => {
    let bench: RegistryBench;
    let registry: Registry;
    beforeAll(async () => {
      bench = await open();
      registry = bench.registry;
    });
    afterAll(() => bench?.close());

    /** The removal of one registration as a round judged it just now. */
    async function judged(catalog: CatalogBench, { id, kind, path }: Registration): Promise<RemoveRequest> {
      const now = await registry.registration(catalog.name, id, calm());
      const inside = kind === 'schema' ? await registry.inside(catalog.name, path, calm()) : [];
      return {
        catalog: catalog.name,
        id,
        kind,
        path,
        intentId: `intent-${id}`,
        expectedVersion: now?.version ?? 'none',
        expectedInside: inside.map((child) => ({ id: child.id, version: child.version })),
        actor: 'reconciler',
        notAfter: bench.clock.now + 10_000,
      };
    }

    async function listed(catalog: CatalogBench, limit = 100): Promise<readonly Registration[]> {
      const all: Registration[] = [];
      for (let after: string | undefined; ; ) {
        const page = await registry.registrations(
          catalog.name,
          after === undefined ? { limit } : { after, limit },
          calm(),
        );
        expect(page.items.length).toBeLessThanOrEqual(limit);
        all.push(...page.items);
        if (page.next === undefined) return all;
        after = page.next;
      }
    }

    describe('reading', () => {
      test('knows its catalogs by name, and says where there is none', async () => {
        const catalog = await bench.catalog();
        const found = await registry.catalog(catalog.name, calm());
        expect(found).toMatchObject({ name: catalog.name, managedKinds: [] });
        expect(await registry.catalog('nobody has this one', calm())).toBeUndefined();
        expect((await registry.catalogs(calm())).map((each) => each.name)).toContain(catalog.name);
      });

      test('B32 a catalog that does not exist is an error, never an empty answer', async () => {
        const nowhere = 'nobody has this one';
        const wrong = { type: 'InvalidRequest' };
        await expect(registry.count(nowhere, calm())).rejects.toMatchObject(wrong);
        await expect(registry.registrations(nowhere, { limit: 10 }, calm())).rejects.toMatchObject(wrong);
        await expect(registry.registration(nowhere, 'x', calm())).rejects.toMatchObject(wrong);
        await expect(registry.inside(nowhere, ['s'], calm())).rejects.toMatchObject(wrong);
        await expect(registry.dropsSince(nowhere, 0, calm())).rejects.toMatchObject(wrong);
      });

      test('an empty catalog has one empty page', async () => {
        const catalog = await bench.catalog();
        expect(await registry.registrations(catalog.name, { limit: 10 }, calm())).toEqual({ items: [] });
        expect(await registry.count(catalog.name, calm())).toBe(0);
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
            const catalog = await bench.catalog();
            const items = registrationsAt(wanted as unknown as Path[]);
            await catalog.addAll([...items.values()]);
            const all = await listed(catalog, limit);
            expect(all.map(({ path }) => pathText(path))).toEqual([...items.keys()].sort(byCodePoint));
            expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
            expect(await registry.count(catalog.name, calm())).toBe(all.length);
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
        const catalog = await bench.catalog();
        await catalog.add('schema', ['a']);
        await catalog.add('schema', ['a', 'b']);
        await catalog.add('table', ['a', 'b']);
        for (const limit of [1, 2, 3]) {
          const kinds = (await listed(catalog, limit)).map(({ kind, path }) => `${kind} ${pathText(path)}`);
          expect(kinds.sort()).toEqual(['schema a', 'schema a/b', 'table a/b']);
        }
      });

      test('what is registered while pages are read does not make them repeat or skip anything', async () => {
        const catalog = await bench.catalog();
        for (const each of ['b', 'd', 'f']) await catalog.add('schema', [each]);
        const first = await registry.registrations(catalog.name, { limit: 2 }, calm());
        await catalog.add('schema', ['a']);
        await catalog.add('schema', ['e']);
        const rest = await registry.registrations(catalog.name, { after: first.next ?? '', limit: 10 }, calm());
        expect(rest.items.map(({ path }) => path[0])).toEqual(['e', 'f']);
      });

      test('a registration is read by id, and is gone when it is gone', async () => {
        const catalog = await bench.catalog();
        const added = await catalog.add('schema', ['Looker- 2.0 Test']);
        expect(await registry.registration(catalog.name, added.id, calm())).toEqual(added);
        await catalog.drop(added.id);
        expect(await registry.registration(catalog.name, added.id, calm())).toBeUndefined();
      });

      test('inside holds every depth, and neither the container nor a neighbour of a longer name', async () => {
        const catalog = await bench.catalog();
        await catalog.add('schema', ['a']);
        await catalog.add('schema', ['a', 'b']);
        await catalog.add('table', ['a', 'b', 't']);
        await catalog.add('view', ['a', 'v']);
        for (const neighbour of ['a0', 'a!', 'a/b', 'ab']) await catalog.add('schema', [neighbour]);
        await catalog.add('table', ['a0', 't']);
        const inside = await registry.inside(catalog.name, ['a'], calm());
        expect(inside.map(({ path }) => pathText(path)).sort()).toEqual(['a/b', 'a/b/t', 'a/v']);
        expect(inside.every(({ path }) => isInside(path, ['a']))).toBe(true);
        expect(await registry.inside(catalog.name, ['nothing'], calm())).toEqual([]);
      });

      test('attachments come by id, sorted, without an entry for what is gone', async () => {
        const catalog = await bench.catalog();
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
        const found = await registry.attachments(catalog.name, [rich.id, plain.id, 'gone'], calm());
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
        expect((await registry.attachments(catalog.name, [], calm())).size).toBe(0);
      });

      test('any change of an attachment raises the version', async () => {
        const catalog = await bench.catalog();
        const { id } = await catalog.add('schema', ['s']);
        const changes: Attaching[] = [
          { owner: 'somebody else' },
          { comment: 'c' },
          { tags: ['t'] },
          { policies: ['p'] },
          { grants: [{ principal: 'ann', privilege: 'use' }] },
          { properties: { k: 'v' } },
        ];
        const seen = new Set([(await registry.registration(catalog.name, id, calm()))?.version]);
        for (const change of changes) {
          await catalog.attach(id, change);
          seen.add((await registry.registration(catalog.name, id, calm()))?.version);
        }
        expect(seen.size).toBe(changes.length + 1);
      });

      test('a call that was aborted before it began does not answer', async () => {
        const catalog = await bench.catalog();
        await expect(registry.count(catalog.name, AbortSignal.abort())).rejects.toThrow();
        await expect(registry.catalogs(AbortSignal.abort())).rejects.toThrow();
      });
    });

    describe('removing', () => {
      test('takes out one table, asks the source first, and leaves a trace of the intent', async () => {
        const catalog = await bench.catalog();
        await catalog.add('schema', ['s']);
        const table = await catalog.add('table', ['s', 't']);
        const before = bench.clock.now;
        const request = await judged(catalog, table);
        expect(await registry.outcomeOf(catalog.name, request.intentId, calm())).toBe('no-trace');
        expect(await registry.remove(request)).toEqual({ outcome: 'removed', entities: 1 });
        expect(catalog.asked()).toEqual(['s/t']);
        expect(await registry.registration(catalog.name, table.id, calm())).toBeUndefined();
        expect(await registry.outcomeOf(catalog.name, request.intentId, calm())).toBe('removed');
        expect(await registry.outcomeOf(catalog.name, 'another intent', calm())).toBe('no-trace');
        expect(await registry.dropsSince(catalog.name, before, calm())).toBe(1);
        expect(await registry.dropsSince(catalog.name, bench.clock.now + 1, calm())).toBe(0);
        expect((await listed(catalog)).map(({ path }) => pathText(path))).toEqual(['s']);
      });

      test('a container takes exactly what was judged inside it', async () => {
        const catalog = await bench.catalog();
        const schema = await catalog.add('schema', ['s']);
        await catalog.add('schema', ['s', 'deep']);
        await catalog.add('table', ['s', 'deep', 't']);
        await catalog.add('view', ['s', 'v']);
        await catalog.add('schema', ['other']);
        expect(await registry.remove(await judged(catalog, schema))).toEqual({ outcome: 'removed', entities: 4 });
        expect([...catalog.asked()].sort()).toEqual(['s', 's/deep', 's/deep/t', 's/v']);
        expect((await listed(catalog)).map(({ path }) => pathText(path))).toEqual(['other']);
        expect(await registry.dropsSince(catalog.name, 0, calm())).toBe(4);
      });

      test.each<
        [string, (catalog: CatalogBench, table: Registration, child: Registration) => Promise<unknown>, object]
      >([
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
          async () => void (bench.clock.now += 10_001),
          { outcome: 'refused', reason: 'too-late' },
        ],
      ])('removes nothing where %s', async (_name, happening, answer) => {
        const catalog = await bench.catalog();
        const schema = await catalog.add('schema', ['s']);
        const child = await catalog.add('table', ['s', 't']);
        const request = await judged(catalog, schema);
        await happening(catalog, schema, child);
        const before = await listed(catalog);
        expect(await registry.remove(request)).toEqual(answer);
        expect(await listed(catalog)).toEqual(before);
        expect(await registry.outcomeOf(catalog.name, request.intentId, calm())).toBe('no-trace');
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
        const catalog = await bench.catalog();
        await catalog.add('schema', ['s']);
        const table = await catalog.add('table', ['s', 't']);
        expect(await registry.remove({ ...(await judged(catalog, table)), ...wrong })).toEqual(answer);
        expect(await registry.count(catalog.name, calm())).toBe(2);
      });

      test('managed kinds stay, alone and inside a container', async () => {
        const catalog = await bench.catalog(['table']);
        const schema = await catalog.add('schema', ['s']);
        const table = await catalog.add('table', ['s', 't']);
        expect(table.managed).toBe(true);
        expect(schema.managed).toBe(false);
        const refused = { outcome: 'refused', reason: 'managed' };
        expect(await registry.remove(await judged(catalog, table))).toEqual(refused);
        expect(await registry.remove(await judged(catalog, schema))).toEqual(refused);
        expect(catalog.asked()).toEqual([]);
        expect(await registry.count(catalog.name, calm())).toBe(2);
      });

      test.each<[string, (catalog: CatalogBench, schema: Registration) => Promise<unknown>, object]>([
        [
          'B43 a child is registered',
          (catalog) => catalog.add('table', ['s', 'new']),
          { outcome: 'changed', reason: 'new-child' },
        ],
        [
          'B41 it is renamed',
          (catalog, { id }) => catalog.rename(id, ['new']),
          { outcome: 'changed', reason: 'moved' },
        ],
        [
          'somebody attaches something',
          (catalog, { id }) => catalog.attach(id, { owner: 'ada' }),
          { outcome: 'changed', reason: 'version-changed' },
        ],
        ['somebody drops it', (catalog, { id }) => catalog.drop(id), { outcome: 'already-gone' }],
        [
          'the time to act runs out',
          async () => void (bench.clock.now += 10_001),
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
        const catalog = await bench.catalog();
        const schema = await catalog.add('schema', ['s']);
        const request = await judged(catalog, schema);
        catalog.whileAsking(['s'], () => happening(catalog, schema));
        expect(await registry.remove(request)).toEqual(answer);
        expect(await registry.outcomeOf(catalog.name, request.intentId, calm())).toBe('no-trace');
      });

      test('B44 of two removals of one registration exactly one removes, the other finds it gone', async () => {
        const catalog = await bench.catalog();
        const schema = await catalog.add('schema', ['s']);
        const request = await judged(catalog, schema);
        const answers = await Promise.all([
          registry.remove({ ...request, intentId: `${schema.id}-1` }),
          registry.remove({ ...request, intentId: `${schema.id}-2` }),
        ]);
        expect(answers.map(({ outcome }) => outcome).sort()).toEqual(['already-gone', 'removed']);
        expect(await registry.dropsSince(catalog.name, 0, calm())).toBe(1);
      });

      test('B41 of a removal and a rename exactly one wins', async () => {
        for (let attempt = 0; attempt < 8; attempt += 1) {
          const catalog = await bench.catalog();
          const schema = await catalog.add('schema', ['s']);
          const table = await catalog.add('table', ['s', 't']);
          await catalog.attach(table.id, { owner: 'ada' });
          const request = await judged(catalog, schema);
          const rename = () => catalog.rename(table.id, ['s', 'renamed']);
          const both =
            attempt % 2 === 0 ? [registry.remove(request), rename()] : [rename(), registry.remove(request)].reverse();
          const [removal, renamed] = await Promise.allSettled(both);
          const left = (await listed(catalog)).map(({ path }) => pathText(path));
          if (renamed?.status === 'fulfilled') {
            expect(removal).toMatchObject({ value: { outcome: 'changed' } });
            expect(left).toEqual(['s', 's/renamed']);
            const kept = await registry.attachments(catalog.name, [table.id], calm());
            expect(kept.get(table.id)).toMatchObject({ owner: 'ada' });
          } else {
            expect(removal).toMatchObject({ value: { outcome: 'removed' } });
            expect(left).toEqual([]);
          }
        }
      });

      test('B68 what is registered again after a removal has another id', async () => {
        const catalog = await bench.catalog();
        const schema = await catalog.add('schema', ['s']);
        const request = await judged(catalog, schema);
        await registry.remove(request);
        const again = await catalog.add('schema', ['s']);
        expect(again.id).not.toBe(schema.id);
        expect(await registry.remove(request)).toEqual({ outcome: 'already-gone' });
        expect(await registry.registration(catalog.name, again.id, calm())).toEqual(again);
      });
    });

    describe('re-pointing', () => {
      async function wished(
        catalog: CatalogBench,
        { id, kind, path }: Registration,
        to: Path,
      ): Promise<RepointRequest> {
        const now = await registry.registration(catalog.name, id, calm());
        return {
          catalog: catalog.name,
          id,
          kind,
          path,
          to,
          intentId: `intent-${id}`,
          expectedVersion: now?.version ?? 'none',
          actor: 'ada',
          notAfter: bench.clock.now + 10_000,
        };
      }

      test('B37 gives a table its new name, in another schema too, and keeps its id and all that is attached', async () => {
        const catalog = await bench.catalog();
        await catalog.add('schema', ['s']);
        await catalog.add('schema', ['other']);
        const table = await catalog.add('table', ['s', 't']);
        const attachments = { owner: 'ada', tags: ['pii'], grants: [{ principal: 'ann', privilege: 'select' }] };
        await catalog.attach(table.id, attachments);
        const before = await registry.registration(catalog.name, table.id, calm());
        const request = await wished(catalog, table, ['other', 'u']);
        expect(await registry.repoint(request)).toEqual({ outcome: 'repointed', entities: 1 });
        const after = await registry.registration(catalog.name, table.id, calm());
        expect(after).toMatchObject({ id: table.id, path: ['other', 'u'], createdAt: table.createdAt });
        expect(after?.version).not.toBe(before?.version);
        expect((await registry.attachments(catalog.name, [table.id], calm())).get(table.id)).toMatchObject(attachments);
        expect(await registry.repoint(request)).toEqual({ outcome: 'already' });
        expect(await registry.dropsSince(catalog.name, 0, calm())).toBe(0);
      });

      test('a container takes along what is inside', async () => {
        const catalog = await bench.catalog();
        const schema = await catalog.add('schema', ['s']);
        await catalog.add('table', ['s', 't']);
        const request = await wished(catalog, schema, ['new']);
        expect(await registry.repoint(request)).toEqual({ outcome: 'repointed', entities: 2 });
        expect((await listed(catalog)).map(({ path }) => pathText(path))).toEqual(['new', 'new/t']);
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
          async () => void (bench.clock.now += 10_001),
          { outcome: 'refused', reason: 'too-late' },
        ],
      ])('changes nothing where %s', async (_name, happening, answer) => {
        const catalog = await bench.catalog();
        await catalog.add('schema', ['s']);
        const table = await catalog.add('table', ['s', 't']);
        const request = await wished(catalog, table, ['s', 'u']);
        await happening(catalog, table);
        const before = await listed(catalog);
        expect(await registry.repoint(request)).toEqual(answer);
        expect(await listed(catalog)).toEqual(before);
      });

      test.each<[string, Partial<RepointRequest>, object]>([
        ['another kind', { kind: 'view' }, { outcome: 'changed', reason: 'kind-changed' }],
        ['a container that is not registered', { to: ['nowhere', 't'] }, { outcome: 'refused', reason: 'not-found' }],
        ['a name that none can have', { to: ['s', ''] }, { outcome: 'refused', reason: 'invalid-name' }],
        ['a catalog that does not exist', { catalog: 'nobody' }, { outcome: 'refused', reason: 'not-found' }],
      ])('changes nothing where the request names %s', async (_name, wrong, answer) => {
        const catalog = await bench.catalog();
        await catalog.add('schema', ['s']);
        const table = await catalog.add('table', ['s', 't']);
        expect(await registry.repoint({ ...(await wished(catalog, table, ['s', 'u'])), ...wrong })).toEqual(answer);
        expect((await registry.registration(catalog.name, table.id, calm()))?.path).toEqual(['s', 't']);
      });

      test('managed kinds keep their names', async () => {
        const catalog = await bench.catalog(['table']);
        await catalog.add('schema', ['s']);
        const table = await catalog.add('table', ['s', 't']);
        const answer = await registry.repoint(await wished(catalog, table, ['s', 'u']));
        expect(answer).toEqual({ outcome: 'refused', reason: 'managed' });
      });
    });

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
        const request = await judged(catalog, outermost);
        const self = await registry.registration(catalog.name, outermost.id, calm());
        const inside = await registry.inside(catalog.name, outermost.path, calm());
        const all = self === undefined ? inside : [self, ...inside];
        const ids = all.map(({ id }) => id);
        const attached = await registry.attachments(catalog.name, ids, calm());
        expect(await registry.remove(request)).toEqual({ outcome: 'removed', entities: all.length });
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
          const catalog = await bench.catalog();
          if (kind !== 'schema') await catalog.add('schema', ['s']);
          const path: Path = kind === 'schema' ? ['s'] : ['s', 'x'];
          const { id } = await catalog.add(kind, path);
          await catalog.attach(id, { ...rich, secrets: { password: 'hunter2' } });
          const before = await registry.registration(catalog.name, id, calm());
          const attached = (await registry.attachments(catalog.name, [id], calm())).get(id);
          expect(attached).toEqual({ ...rich, secrets: ['password'] });
          if (before === undefined) throw new Error('it is not registered');
          const request = await removed(catalog, before);
          bench.clock.now += 1_000;
          expect(await registry.restore(request)).toEqual(restored(1));
          const after = await registry.registration(catalog.name, id, calm());
          expect(after).toEqual({ ...before, version: after?.version });
          expect((await registry.attachments(catalog.name, [id], calm())).get(id)).toEqual(rich);
          expect(JSON.stringify(request)).not.toContain('hunter2');
        },
      );

      test('a version is never used again, however often something goes and comes back', async () => {
        const catalog = await bench.catalog();
        const schema = await catalog.add('schema', ['s']);
        const versions = [schema.version];
        for (let turn = 0; turn < 3; turn += 1) {
          const request = await removed(catalog, schema);
          const { intentId } = request;
          expect(await registry.outcomeOf(catalog.name, intentId, calm())).toBe('removed');
          expect(await registry.restore(request)).toEqual(restored(1));
          versions.push((await registry.registration(catalog.name, schema.id, calm()))?.version ?? 'gone');
        }
        expect(new Set(versions).size).toBe(4);
      });

      test('a container comes back with everything that went with it', async () => {
        const catalog = await bench.catalog();
        const schema = await catalog.add('schema', ['s']);
        await catalog.add('schema', ['s', 'deep']);
        const table = await catalog.add('table', ['s', 'deep', 't']);
        await catalog.attach(table.id, rich);
        const before = await listed(catalog);
        const request = await removed(catalog, schema);
        expect(await listed(catalog)).toEqual([]);
        expect(await registry.restore({ ...request, entities: [...request.entities].reverse() })).toEqual(restored(3));
        const after = await listed(catalog);
        expect(after.map(({ id, path }) => [id, path])).toEqual(before.map(({ id, path }) => [id, path]));
        expect((await registry.attachments(catalog.name, [table.id], calm())).get(table.id)).toEqual(rich);
        expect(await registry.remove(await judged(catalog, schema))).toEqual({ outcome: 'removed', entities: 3 });
      });

      test('nobody becomes the owner of what had none, and what was not seen comes back without', async () => {
        const catalog = await bench.catalog();
        const schema = await catalog.add('schema', ['s']);
        await catalog.addAll([{ kind: 'table', path: ['s', 't'] }]);
        const [, table] = await listed(catalog);
        if (table === undefined) throw new Error('nothing was added');
        expect(await registry.restore(await removed(catalog, table))).toEqual(restored(1));
        const { owner } = (await registry.attachments(catalog.name, [table.id], calm())).get(table.id) as Attachments;
        expect(owner).toBeUndefined();
        const request = await removed(catalog, schema);
        const unseen = request.entities.map((entity) => ({ ...entity, attachments: 'unseen' as const }));
        expect(await registry.restore({ ...request, entities: unseen })).toMatchObject({ outcome: 'restored' });
        expect((await registry.attachments(catalog.name, [schema.id], calm())).get(schema.id)).toMatchObject({
          tags: [],
        });
      });

      test('a request that is repeated, or finds a part of it done, is answered like the first', async () => {
        const catalog = await bench.catalog();
        const schema = await catalog.add('schema', ['s']);
        await catalog.add('table', ['s', 't']);
        const request = await removed(catalog, schema);
        const [outermost] = request.entities;
        if (outermost === undefined) throw new Error('nothing went');
        expect(await registry.restore({ ...request, entities: [outermost] })).toEqual(restored(1));
        expect(await registry.restore(request)).toEqual(restored(2));
        const before = await listed(catalog);
        expect(await registry.restore(request)).toEqual(restored(2));
        expect(await listed(catalog)).toEqual(before);
      });

      test.each<[string, (catalog: CatalogBench, schema: Registration) => Promise<unknown>, string]>([
        ['its name is registered again', (catalog) => catalog.add('table', ['s', 't']), 'already-exists'],
        ['a view has its name', (catalog) => catalog.add('view', ['s', 't']), 'already-exists'],
        ['its container is gone', (catalog, { id }) => catalog.drop(id), 'not-found'],
        ['its container has another name', (catalog, { id }) => catalog.rename(id, ['new']), 'not-found'],
      ])('brings nothing back where %s', async (_name, happening, reason) => {
        const catalog = await bench.catalog();
        const schema = await catalog.add('schema', ['s']);
        const request = await removed(catalog, await catalog.add('table', ['s', 't']));
        await happening(catalog, schema);
        const before = await listed(catalog);
        expect(await registry.restore(request)).toEqual({ outcome: 'refused', reason });
        expect(await listed(catalog)).toEqual(before);
      });

      test('all of it or nothing: one taken name inside keeps the container out', async () => {
        const catalog = await bench.catalog();
        const schema = await catalog.add('schema', ['s']);
        await catalog.add('table', ['s', 't']);
        const request = await removed(catalog, schema);
        await catalog.add('schema', ['s']);
        const before = await listed(catalog);
        expect(await registry.restore(request)).toMatchObject({ outcome: 'refused' });
        expect(await listed(catalog)).toEqual(before);
      });

      test('B73 what somebody dropped after it had come back stays dropped', async () => {
        const catalog = await bench.catalog();
        const schema = await catalog.add('schema', ['s']);
        const request = await removed(catalog, schema);
        await registry.restore(request);
        await catalog.drop(schema.id);
        expect(await registry.restore(request)).toEqual({ outcome: 'refused', reason: 'not-found' });
        expect(await listed(catalog)).toEqual([]);
      });
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
