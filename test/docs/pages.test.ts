import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { toString } from 'mdast-util-to-string';
import { describe, expect, test } from 'vitest';
import { playedPages } from './examples/pages.ts';
import { fencesOf } from './examples/fences.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`)
  .sort();

describe('pages', () => {
  test.each(['README.md', 'AGENTS.md', ...docs])('%s links to files and headings that exist', (file) => {
    const broken = linksIn(fromMarkdown(read(file))).filter((url) => {
      if (/^[a-z]+:/.test(url)) return false;
      const [path = '', anchor] = url.split('#');
      const target = path === '' ? file : join(dirname(file), path);
      if (!existsSync(join(root, target))) return true;
      return anchor !== undefined && !headingsOf(read(target)).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  test('the map leads to each of them', () => {
    const led = linksIn(fromMarkdown(read('docs/README.md'))).map((url) => join('docs', url.split('#')[0] ?? ''));
    const missing = docs.filter(
      (file) => file !== 'docs/README.md' && !led.includes(file) && !led.includes(`${dirname(file)}/`),
    );
    expect(missing.filter((file) => dirname(file) !== 'docs/decisions')).toEqual([]);
  });

  test('those with examples to run are played', () => {
    const withExamples = docs.filter((file) => fencesOf(read(file)).some(({ language }) => language === 'console'));
    expect(withExamples.sort()).toEqual(playedPages.map((name) => `docs/${name}`).sort());
  });
});

function linksIn(node: Nodes): readonly string[] {
  const own = node.type === 'link' || node.type === 'image' || node.type === 'definition' ? [node.url] : [];
  return 'children' in node ? [...own, ...node.children.flatMap(linksIn)] : own;
}

/** The anchors of a page's headings, as GitHub makes them. */
function headingsOf(page: string): readonly string[] {
  return fromMarkdown(page).children.flatMap((node) =>
    node.type === 'heading'
      ? [
          toString(node)
            .toLowerCase()
            .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
            .replaceAll(' ', '-'),
        ]
      : [],
  );
}
