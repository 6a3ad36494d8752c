import { expect, test } from 'vitest';
import type { ListedObject } from '../../../src/sources/source.ts';
import { listObjects, listPageSize } from '../../../src/sources/postgres/list.ts';
import type { Row } from '../../../src/sources/postgres/session.ts';
import { readSettings } from '../../../src/sources/postgres/settings.ts';

const settings = readSettings({ host: 'db.example', database: 'sales', user: 'reader' });
const schemaRows: readonly Row[] = [['100', 'sales', 'public']];
const relationRows = Array.from(
  { length: listPageSize * 4 + 7 },
  (_, index): Row => [String(200 + index), 'sales', 'public', '100', `t${index}`, 'r'],
);

/** Pages as the server cuts them: by oid, so many at a time. */
function pages(rows: readonly Row[], after: unknown, limit: unknown): readonly Row[] {
  return rows.filter(([oid]) => Number(oid) > Number(after)).slice(0, Number(limit));
}

async function collect(query: Parameters<typeof listObjects>[0]): Promise<ListedObject[]> {
  const all: ListedObject[] = [];
  for await (const item of listObjects(query, settings)) all.push(item);
  return all;
}

test('B25 B82 every page is read, each object once', async () => {
  const listed = await collect(async (text, [after, limit]) =>
    pages(text.includes('relkind') ? relationRows : schemaRows, after, limit),
  );
  expect(listed).toHaveLength(1 + relationRows.length);
  expect(new Set(listed.map(({ uid }) => uid)).size).toBe(listed.length);
  expect(listed.at(-1)).toEqual({ path: ['public', 't8006'], found: 'table', uid: 'relation:8206' });
});

test('B28 B29 a page that fails fails the listing', async () => {
  let page = 0;
  const broken = collect(async (_text, [after, limit]) => {
    page += 1;
    if (page === 3) throw new Error('the third page is lost');
    return pages(page === 1 ? schemaRows : relationRows, after, limit);
  });
  await expect(broken).rejects.toThrow('the third page is lost');
});

test('B19 a page of another database fails the listing', async () => {
  const other = collect(async () => [['100', 'other', 'public']]);
  await expect(other).rejects.toMatchObject({ type: 'SourceProtocolError', code: 'other-database' });
});

test('a relation whose schema was not listed waits for the next listing', async () => {
  const late: Row = ['900', 'sales', 'new', '101', 'orders', 'r'];
  const listed = await collect(async (text) => (text.includes('relkind') ? [late] : schemaRows));
  expect(listed.map(({ path }) => path)).toEqual([['public']]);
});
