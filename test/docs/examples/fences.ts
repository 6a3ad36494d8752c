import type { Code, Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';

/** A fenced block of a page, with what stands after its language: `console until="removed"`. */
export interface Fence {
  readonly language: string;
  /** A word alone counts as an empty text. */
  readonly options: ReadonlyMap<string, string>;
  readonly body: string;
  readonly line: number;
  /** Where the whole block stands in the page, fences included. */
  readonly start: number;
  readonly end: number;
}

/** The fenced blocks of a page, from top to bottom. */
export function fencesOf(page: string): readonly Fence[] {
  return codeIn(fromMarkdown(page)).flatMap(({ lang, meta, value, position }) =>
    position?.start.offset === undefined || position.end.offset === undefined
      ? []
      : [
          {
            language: lang ?? '',
            options: optionsIn(meta ?? ''),
            body: value,
            line: position.start.line,
            start: position.start.offset,
            end: position.end.offset,
          },
        ],
  );
}

function codeIn(node: Nodes): readonly Code[] {
  if (node.type === 'code') return [node];
  return 'children' in node ? node.children.flatMap(codeIn) : [];
}

function optionsIn(meta: string): ReadonlyMap<string, string> {
  return new Map(
    [...meta.matchAll(/(\w+)(?:=(?:"([^"]*)"|(\S+)))?/g)].map(([, key = '', quoted, bare]) => [
      key,
      quoted ?? bare ?? '',
    ]),
  );
}

/** The page with other bodies in some of its blocks; everything else stays as it is, to the letter. */
export function withBodies(page: string, bodies: ReadonlyMap<Fence, string>): string {
  let text = page;
  for (const [fence, body] of [...bodies].sort(([one], [other]) => other.start - one.start)) {
    const [opening = ''] = page.slice(fence.start, fence.end).split('\n');
    const closing = /^[`~]+/.exec(opening)?.[0] ?? '```';
    text = `${text.slice(0, fence.start)}${opening}\n${body}\n${closing}${text.slice(fence.end)}`;
  }
  return text;
}
