import { posix } from 'node:path';
import { isBuiltin } from 'node:module';
import { type Rule, findings } from './findings.ts';

/** May a room import from another: values and types, types only, not at all. */
export type Wall = 'yes' | 'types' | 'no';

export interface Walls {
  /** From room to room. */
  readonly rooms: Readonly<Record<string, Readonly<Record<string, Wall>>>>;
  /** Package name, or `@scope/*`, per room; a trailing ` (types)` allows types only; `*` is every dependency. */
  readonly packages: Readonly<Record<string, readonly string[]>>;
  /** A wall that is open to some files of the room only; `to` is a room or a package. */
  readonly narrower: readonly { readonly from: string; readonly to: string; readonly files: RegExp }[];
  readonly withoutBuiltins: readonly string[];
  /** What `package.json` installs in production. */
  readonly dependencies: readonly string[];
}

export interface Violation {
  readonly file: string;
  readonly line: number;
  readonly rule: Rule | 'room' | 'wall' | 'package' | 'builtin' | 'outside' | 'file-name';
  readonly detail: string;
}

interface Import {
  readonly specifier: string;
  readonly typeOnly: boolean;
}

/** Only these rooms may do what the rule forbids elsewhere; a rule that is not here holds everywhere. */
const exempt: Partial<Record<Rule, (room: string) => boolean>> = {
  'process-env': (room) => room === 'config',
  impure: (room) => room !== 'domain',
};

const vagueNames = new Set(['common', 'helper', 'helpers', 'misc', 'shared', 'util', 'utils']);

/** `file` is relative to `src`, with forward slashes. */
export function checkSource(file: string, text: string, walls: Walls): Violation[] {
  const room = file.includes('/') ? (file.split('/')[0] ?? '') : '';
  const violations: Violation[] = fileNameProblems(file).map((detail) => ({
    file,
    line: 1,
    rule: 'file-name',
    detail,
  }));
  if (walls.rooms[room] === undefined) {
    violations.push({ file, line: 1, rule: 'room', detail: `src/${file} is in no room of the table` });
    return violations;
  }
  const found = findings(file, text);
  for (const { rule, line, detail } of found.broken) {
    if (exempt[rule]?.(room) !== true) violations.push({ file, line, rule, detail });
  }
  for (const { line, ...imported } of found.imports) {
    const problem = importProblem(file, room, imported, walls);
    if (problem !== undefined) violations.push({ file, line, ...problem });
  }
  return violations;
}

function fileNameProblems(file: string): string[] {
  const problems: string[] = [];
  const segments = file.replace(/\.ts$/, '').split('/');
  for (const segment of segments) {
    if (vagueNames.has(segment)) problems.push(`${segment} says nothing: find the noun`);
    if (!/^[a-z0-9]+([-.][a-z0-9]+)*$/.test(segment)) problems.push(`${segment} is not kebab-case`);
  }
  return problems;
}

function importProblem(
  file: string,
  room: string,
  imported: Import,
  walls: Walls,
): Pick<Violation, 'rule' | 'detail'> | undefined {
  const { specifier } = imported;
  if (specifier.startsWith('.')) return relativeProblem(file, room, imported, walls);
  if (isBuiltin(specifier)) {
    if (!specifier.startsWith('node:')) return { rule: 'builtin', detail: `write node:${specifier}` };
    if (!walls.withoutBuiltins.includes(room)) return undefined;
    return { rule: 'builtin', detail: `${room} uses nothing of Node, not ${specifier}` };
  }
  return packageProblem(file, room, imported, walls);
}

function relativeProblem(
  file: string,
  room: string,
  { specifier, typeOnly }: Import,
  walls: Walls,
): Pick<Violation, 'rule' | 'detail'> | undefined {
  const target = posix.join(posix.dirname(file), specifier);
  if (target.startsWith('..')) return { rule: 'outside', detail: `${specifier} is not in src` };
  const to = target.split('/')[0] ?? '';
  if (walls.rooms[to] === undefined) return { rule: 'room', detail: `${specifier} is in no room of the table` };
  const wall = walls.rooms[room]?.[to] ?? 'no';
  if (wall === 'no') return { rule: 'wall', detail: `${room} must not import ${to} (${specifier})` };
  if (wall === 'types' && !typeOnly) {
    return { rule: 'wall', detail: `${room} may import types only from ${to}: import type (${specifier})` };
  }
  return narrowed(file, room, to, walls);
}

function packageProblem(
  file: string,
  room: string,
  { specifier, typeOnly }: Import,
  walls: Walls,
): Pick<Violation, 'rule' | 'detail'> | undefined {
  const name = packageOf(specifier);
  if (!walls.dependencies.includes(name)) {
    return { rule: 'package', detail: `${name} is not a dependency that production has` };
  }
  const allowed = walls.packages[room] ?? [];
  const matches = (entry: string) => entry === '*' || entry === name || entry === `${name.split('/')[0]}/*`;
  if (!allowed.some((entry) => matches(entry) || (typeOnly && matches(entry.replace(/ \(types\)$/, ''))))) {
    return { rule: 'package', detail: `${room} must not import ${name}` };
  }
  return narrowed(file, room, name, walls);
}

function narrowed(
  file: string,
  room: string,
  to: string,
  walls: Walls,
): Pick<Violation, 'rule' | 'detail'> | undefined {
  const gap = walls.narrower.find((entry) => entry.from === room && entry.to === to);
  if (gap === undefined || gap.files.test(file)) return undefined;
  return { rule: 'wall', detail: `only ${gap.files.source} may import ${to}` };
}

function packageOf(specifier: string): string {
  const segments = specifier.split('/');
  return segments.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
}
