import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Path, pathText } from '../../../src/domain/path.ts';
import type { CaseRule } from '../../../src/registries/embedded/case-rule.ts';
import { type EmbeddedBench, openEmbeddedBench } from './embedded-bench.ts';

let bench: EmbeddedBench;
beforeAll(async () => {
  bench = await openEmbeddedBench();
});
afterAll(() => bench?.close());

const calm = () => new AbortController().signal;

async function listing(catalog: string): Promise<Record<string, string>> {
  const { items } = await bench.registry.registrations(catalog, { limit: 100 }, calm());
  return Object.fromEntries(items.map(({ path, version }) => [pathText(path), version]));
}

const rename = (catalog: string, id: string, to: Path) =>
  bench.desk.rename({ catalog, actor: 'ann', target: { by: 'id', id }, to });

test('a table keeps id and attachments, in its schema and into another one', async () => {
  const catalog = await bench.catalog();
  await catalog.add('schema', ['a']);
  await catalog.add('schema', ['b']);
  const { id } = await catalog.add('table', ['a', 't']);
  await catalog.attach(id, { owner: 'ada', tags: ['pii'], grants: [{ principal: 'bob', privilege: 'select' }] });
  const before = await bench.registry.attachments(catalog.name, [id], calm());
  await rename(catalog.name, id, ['a', 'renamed']);
  const moved = await rename(catalog.name, id, ['b', 'moved']);
  expect(moved).toMatchObject({ id, path: ['b', 'moved'], version: '4' });
  expect(await bench.registry.attachments(catalog.name, [id], calm())).toEqual(before);
  expect((await bench.registry.inside(catalog.name, ['b'], calm())).map((each) => each.id)).toEqual([id]);
  expect((await bench.desk.events(catalog.name, 0, 100)).at(-1)).toMatchObject({
    type: 'renamed',
    entityId: id,
    path: ['b', 'moved'],
    fromPath: ['a', 'renamed'],
  });
});

test('what changes beside the name takes effect with it, or not at all, and is told', async () => {
  const catalog = await bench.catalog();
  const { id } = await catalog.add('schema', ['a']);
  await catalog.add('table', ['a', 't']);
  await catalog.add('schema', ['taken']);
  const command = { catalog: catalog.name, actor: 'ann', target: { by: 'id', id }, change: { owner: 'bob' } } as const;
  const owner = async () => (await bench.registry.attachments(catalog.name, [id], calm())).get(id)?.owner;
  const before = await owner();

  await expect(bench.desk.rename({ ...command, to: ['taken'] })).rejects.toMatchObject({ reason: 'already-exists' });
  expect(await owner()).toBe(before);

  await bench.desk.rename({ ...command, to: ['b'] });
  expect(await owner()).toBe('bob');
  const told = (await bench.desk.events(catalog.name, 0, 100)).filter(
    ({ type, outcome }) => type !== 'created' && outcome === 'ok',
  );
  expect(told.map(({ type, path }) => `${type} ${pathText(path)}`).toSorted()).toEqual([
    'altered b',
    'renamed b',
    'renamed b/t',
  ]);
});

test('a schema takes its contents along, with new versions and an event each', async () => {
  const catalog = await bench.catalog();
  const { id } = await catalog.add('schema', ['a']);
  await catalog.add('schema', ['a', 'b']);
  await catalog.add('table', ['a', 'b', 't/%']);
  await catalog.add('schema', ['a0']);
  await rename(catalog.name, id, ['a', '…'].slice(1) as unknown as Path);
  expect(await listing(catalog.name)).toEqual({ a0: '1', '…': '2', '…/b': '2', '…/b/t%2F%25': '2' });
  const told = (await bench.desk.events(catalog.name, 0, 100)).filter(({ type }) => type === 'renamed');
  expect(told.map(({ path }) => pathText(path))).toEqual(['…', '…/b', '…/b/t%2F%25']);
});

test.each<[string, Path, string]>([
  ['a name that is taken', ['taken'], 'already-exists'],
  ['a place inside itself', ['a', 'b'], 'invalid-move'],
  ['a container that is not registered', ['nowhere', 'a'], 'not-found'],
  ['a name that cannot be', [''], 'invalid-name'],
])('a schema is not renamed to %s', async (_name, to, reason) => {
  const catalog = await bench.catalog();
  const { id } = await catalog.add('schema', ['a']);
  await catalog.add('schema', ['taken']);
  const before = await listing(catalog.name);
  await expect(rename(catalog.name, id, to)).rejects.toMatchObject({ reason });
  expect(await listing(catalog.name)).toEqual(before);
});

test('a name so long that its contents would not fit any more is refused', async () => {
  const catalog = await bench.catalog();
  const { id } = await catalog.add('schema', ['a']);
  const long = 'é'.repeat(255);
  await catalog.add('schema', ['a', long]);
  await catalog.add('schema', ['a', long, long]);
  await catalog.add('schema', ['a', long, long, long]);
  await catalog.add('table', ['a', long, long, long, long]);
  await expect(rename(catalog.name, id, ['%'.repeat(200)])).rejects.toMatchObject({ reason: 'invalid-name' });
  expect(Object.keys(await listing(catalog.name))[0]).toBe('a');
});

test('a table does not become an outermost one, nor take the name of a view', async () => {
  const catalog = await bench.catalog();
  await catalog.add('schema', ['a']);
  await catalog.add('view', ['a', 'v']);
  const { id } = await catalog.add('table', ['a', 't']);
  await expect(rename(catalog.name, id, ['t'])).rejects.toMatchObject({ reason: 'invalid-name' });
  await expect(rename(catalog.name, id, ['a', 'v'])).rejects.toMatchObject({ reason: 'already-exists' });
});

test.each<[CaseRule, string, string]>([
  ['sensitive', 'T', 'T'],
  ['lower', 'T', 't'],
  ['upper', 't', 'T'],
  ['insensitive', 'T', 'T'],
])('a new spelling in a catalog that is %s', async (caseRule, to, expected) => {
  const name = `spelling ${caseRule}`;
  await bench.desk.createCatalog({ name, provider: 'postgresql', caseRule }, 'op');
  await bench.desk.create({ catalog: name, actor: 'ann', kind: 'schema', path: ['s'] });
  const { id } = await bench.desk.create({ catalog: name, actor: 'ann', kind: 'table', path: ['s', 't'] });
  const renamed = await rename(name, id, ['s', to]);
  expect(renamed.path.at(-1)).toBe(expected);
  expect(renamed.id).toBe(id);
});

test('without regard to case: one name, however it is spelled, in the spelling of its creation', async () => {
  const name = 'without regard';
  const at = (path: Path) => ({ by: 'path', kind: 'table', path }) as const;
  await bench.desk.createCatalog({ name, provider: 'hive', caseRule: 'insensitive' }, 'op');
  await bench.desk.create({ catalog: name, actor: 'ann', kind: 'schema', path: ['Sales'] });
  const created = await bench.desk.create({ catalog: name, actor: 'ann', kind: 'table', path: ['SALES', 'Orders'] });
  expect(created.path).toEqual(['Sales', 'Orders']);
  expect((await bench.desk.entity(name, at(['sales', 'ORDERS']))).id).toBe(created.id);
  await expect(
    bench.desk.create({ catalog: name, actor: 'ann', kind: 'view', path: ['sales', 'orders'] }),
  ).rejects.toMatchObject({ reason: 'already-exists' });
  const schema = await bench.desk.entity(name, { by: 'path', kind: 'schema', path: ['sAlEs'] });
  await rename(name, schema.id, ['Verkauf']);
  expect((await bench.desk.entity(name, at(['VERKAUF', 'orders']))).path).toEqual(['Verkauf', 'Orders']);
  await expect(bench.desk.entity(name, at(['sales', 'orders']))).rejects.toMatchObject({ reason: 'not-found' });
});
