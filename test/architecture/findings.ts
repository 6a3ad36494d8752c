import { parseSync } from 'oxc-parser';

/** What no file may do, apart from the rooms that a rule exempts. */
export type Rule = 'syntax' | 'default-export' | 'enum' | 'cron-schedule' | 'process-env' | 'impure';

export interface Found {
  readonly imports: { readonly specifier: string; readonly typeOnly: boolean; readonly line: number }[];
  readonly broken: { readonly rule: Rule; readonly line: number; readonly detail: string }[];
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

/** Clock, chance and the outside world: whoever uses them gives another answer for the same question. */
const impureObjects = new Set(['performance', 'crypto', 'process', 'console']);
const impureCalls = new Set(['fetch', 'setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'Date']);

/** Reads one file. With `verbatimModuleSyntax` only `import type` leaves no trace, so only that counts as types. */
export function findings(file: string, text: string): Found {
  const parsed = parseSync(file, text, { lang: 'ts', sourceType: 'module' });
  const found: Found = { imports: [], broken: [] };
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length;
  for (const error of parsed.errors) found.broken.push({ rule: 'syntax', line: 1, detail: error.message });
  visit(parsed.program, (node) => {
    const line = lineOf(node.start);
    const imported = importOf(node);
    if (imported !== undefined) found.imports.push({ ...imported, line });
    for (const broken of brokenRules(node)) found.broken.push({ ...broken, line });
  });
  return found;
}

function importOf(node: Node): { specifier: string; typeOnly: boolean } | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
      return specifierOf(node.source, node.importKind === 'type');
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      return specifierOf(node.source, node.exportKind === 'type');
    case 'ImportExpression':
      return specifierOf(node.source, false);
    case 'TSImportType':
      return specifierOf(node.source, true);
    case 'TSExternalModuleReference':
      return specifierOf(node.expression, false);
    default:
      return undefined;
  }
}

function specifierOf(source: unknown, typeOnly: boolean): { specifier: string; typeOnly: boolean } | undefined {
  return isNode(source) && typeof source.value === 'string' ? { specifier: source.value, typeOnly } : undefined;
}

function* brokenRules(node: Node): Generator<{ rule: Rule; detail: string }> {
  switch (node.type) {
    case 'ExportDefaultDeclaration':
      yield { rule: 'default-export', detail: 'a default export has no name' };
      break;
    case 'ExportSpecifier':
      if (nameOf(node.exported) === 'default') yield { rule: 'default-export', detail: 'a default export has no name' };
      break;
    case 'TSEnumDeclaration':
      yield { rule: 'enum', detail: 'use a union of literals' };
      break;
    case 'Property':
    case 'PropertyDefinition':
      if (nameOf(node.key) === 'cronSchedule') yield { rule: 'cron-schedule', detail: 'use a Schedule' };
      break;
    case 'MemberExpression':
      if (nameOf(node.property) === 'cronSchedule') yield { rule: 'cron-schedule', detail: 'use a Schedule' };
      if (nameOf(node.object) === 'process' && nameOf(node.property) === 'env') yield processEnv;
      yield* impureMember(nameOf(node.object), nameOf(node.property));
      break;
    case 'VariableDeclarator':
      if (nameOf(node.init) === 'process' && hasKey(node.id, 'env')) yield processEnv;
      break;
    case 'ImportDeclaration':
      if (importsProcessEnv(node)) yield processEnv;
      break;
    case 'CallExpression':
      if (impureCalls.has(nameOf(node.callee) ?? '')) yield { rule: 'impure', detail: `${nameOf(node.callee)}()` };
      break;
    case 'NewExpression':
      if (nameOf(node.callee) === 'Date' && listOf(node.arguments).length === 0) {
        yield { rule: 'impure', detail: 'new Date() reads the clock: time is an argument' };
      }
      break;
    default:
      break;
  }
}

const processEnv = { rule: 'process-env', detail: 'only src/config reads the environment' } as const;

function* impureMember(
  object: string | undefined,
  property: string | undefined,
): Generator<{ rule: Rule; detail: string }> {
  if (object === 'Date' && property === 'now') yield { rule: 'impure', detail: 'Date.now(): time is an argument' };
  if (object === 'Math' && property === 'random') yield { rule: 'impure', detail: 'Math.random()' };
  if (object !== undefined && impureObjects.has(object)) yield { rule: 'impure', detail: `${object}.${property}` };
}

function importsProcessEnv(node: Node): boolean {
  if (!isNode(node.source) || !/^(node:)?process$/.test(String(node.source.value))) return false;
  return listOf(node.specifiers).some((specifier) => nameOf(specifier.imported) === 'env');
}

function hasKey(pattern: unknown, key: string): boolean {
  return isNode(pattern) && listOf(pattern.properties).some((property) => nameOf(property.key) === key);
}

/** The name of an identifier, or the text of a literal: `process.env` and `process['env']` are the same. */
function nameOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Identifier' && typeof node.name === 'string') return node.name;
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}

function listOf(value: unknown): Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

function visit(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, see);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (isNode(value)) see(value);
  for (const inner of Object.values(value)) visit(inner, see);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
