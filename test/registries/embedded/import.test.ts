import { afterAll, beforeAll, expect, test } from 'vitest';
import { pathText } from '../../../src/domain/path.ts';
import type { ImportedEntity } from '../../../src/registries/embedded/chain/dispatcher.ts';
import type { CaseRule } from '../../../src/registries/embedded/case-rule.ts';
import { type EmbeddedBench, openEmbeddedBench } from './embedded-bench.ts';

let bench: EmbeddedBench;
beforeAll(async () => {
  bench = await openEmbeddedBench();
});
afterAll(() => bench?.close());

const calm = () => new AbortController().signal;
let catalogs = 0;

async function catalogOf(caseRule: CaseRule = 'sensitive'): Promise<string> {
  catalogs += 1;
  const name = `imported ${catalogs}`;
  await bench.desk.createCatalog({ name, provider: 'postgresql', caseRule }, 'op');
  return name;
}

async function paths(catalog: string): Promise<readonly string[]> {
  const { items } = await bench.registry.registrations(catalog, { limit: 5_000 }, calm());
  return items.map(({ kind, path }) => `${kind} ${pathText(path)}`);
}

const run = (catalog: string, items: readonly ImportedEntity[]) =>
  bench.registry.importRegistrations(catalog, items, 'ann', calm());

test('adds in any order, containers first, and the containers that the list leaves out', async () => {
  const catalog = await catalogOf();
  const counts = await run(catalog, [
    { kind: 'view', path: ['s', 'v'] },
    { kind: 'table', path: ['deep', 'er', 't'], comment: 'three levels' },
    { kind: 'schema', path: ['s'] },
    { kind: 'topic', path: ['topic-0'] },
  ]);
  expect(counts).toEqual({ added: 6, existing: 0, refused: 0 });
  expect(await paths(catalog)).toEqual([
    'schema deep',
    'schema deep/er',
    'table deep/er/t',
    'schema s',
    'view s/v',
    'topic topic-0',
  ]);
});

test('where a table is stored is part of its registration, however that is read', async () => {
  const catalog = await catalogOf();
  const storageLocation = 's3://lake/two\nlines, "quoted"';
  await run(catalog, [
    { kind: 'table', path: ['s', 'nowhere'] },
    { kind: 'table', path: ['s', 'placed'], storageLocation },
  ]);
  const { items } = await bench.registry.registrations(catalog, { limit: 10 }, calm());
  expect(items.map(({ location }) => location)).toEqual([undefined, undefined, storageLocation]);
  expect(await bench.registry.inside(catalog, ['s'], calm())).toEqual(items.slice(1));
  expect(await bench.registry.registration(catalog, items[2]?.id ?? '', calm())).toEqual(items[2]);
});

test('again adds nothing, changes nothing and removes nothing', async () => {
  const catalog = await catalogOf();
  const items: ImportedEntity[] = [
    { kind: 'schema', path: ['s'] },
    { kind: 'table', path: ['s', 't'], comment: 'first' },
  ];
  await run(catalog, items);
  const before = await bench.registry.registrations(catalog, { limit: 10 }, calm());
  const counts = await run(catalog, [
    { kind: 'schema', path: ['s'] },
    { kind: 'view', path: ['s', 't'], comment: 'second' },
  ]);
  expect(counts).toEqual({ added: 0, existing: 2, refused: 0 });
  expect(await run(catalog, [])).toEqual({ added: 0, existing: 0, refused: 0 });
  expect(await bench.registry.registrations(catalog, { limit: 10 }, calm())).toEqual(before);
});

test('one bad name does not keep the others out', async () => {
  const catalog = await catalogOf();
  const counts = await run(catalog, [
    { kind: 'schema', path: ['s'] },
    { kind: 'schema', path: ['with\u001fseparator'] },
    { kind: 'table', path: ['s', ''] },
    { kind: 'table', path: ['s', 'nul\u0000'] },
    { kind: 'table', path: ['no schema around it'] },
    { kind: 'table', path: ['s', 'good'] },
  ]);
  expect(counts).toEqual({ added: 2, existing: 0, refused: 4 });
  expect(await paths(catalog)).toEqual(['schema s', 'table s/good']);
});

test.each<[CaseRule, readonly string[]]>([
  ['sensitive', ['schema S', 'table S/T', 'schema s', 'table s/t']],
  ['lower', ['schema s', 'table s/t']],
  ['upper', ['schema S', 'table S/T']],
  ['insensitive', ['schema S', 'table S/T']],
])('names that differ in case only, in a catalog that is %s', async (caseRule, expected) => {
  const catalog = await catalogOf(caseRule);
  const counts = await run(catalog, [
    { kind: 'schema', path: ['S'] },
    { kind: 'table', path: ['S', 'T'] },
    { kind: 'schema', path: ['s'] },
    { kind: 'table', path: ['s', 't'] },
  ]);
  expect(await paths(catalog)).toEqual(expected);
  expect(counts).toEqual({ added: expected.length, existing: 4 - expected.length, refused: 0 });
});

test('nobody owns what was imported, and each entity has its event', async () => {
  const catalog = await catalogOf();
  await run(catalog, [{ kind: 'table', path: ['s', 't'] }]);
  const { items } = await bench.registry.registrations(catalog, { limit: 10 }, calm());
  const attachments = await bench.registry.attachments(
    catalog,
    items.map(({ id }) => id),
    calm(),
  );
  expect([...attachments.values()].every(({ owner }) => owner === undefined)).toBe(true);
  const told = (await bench.desk.events(catalog, 0, 10)).filter(({ kind }) => kind !== 'catalog');
  expect(told.map(({ type, actor, path }) => ({ type, actor, path }))).toEqual([
    { type: 'created', actor: 'ann', path: ['s'] },
    { type: 'created', actor: 'ann', path: ['s', 't'] },
  ]);
});

test('goes in batches: an import that breaks off keeps what it had, and is run again', async () => {
  const catalog = await catalogOf();
  async function* listing(breaksAfter: number) {
    for (let n = 0; n < 6_000; n += 1) {
      if (n === breaksAfter) throw new Error('the listing broke off');
      yield { kind: 'table', path: ['s', `t${String(n).padStart(5, '0')}`] } as const;
    }
  }
  await expect(bench.registry.importRegistrations(catalog, listing(5_500), 'ann', calm())).rejects.toThrow('broke off');
  expect(await bench.registry.count(catalog, calm())).toBe(5_001);
  const counts = await bench.registry.importRegistrations(catalog, listing(-1), 'ann', calm());
  expect(counts).toEqual({ added: 1_000, existing: 5_000, refused: 0 });
  expect(await bench.registry.count(catalog, calm())).toBe(6_001);
});

test('a catalog that does not exist is refused', async () => {
  await expect(run('nobody has this one', [{ kind: 'schema', path: ['s'] }])).rejects.toMatchObject({
    reason: 'not-found',
  });
});
