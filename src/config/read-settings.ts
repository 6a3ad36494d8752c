import { parse } from 'yaml';
import type { z } from 'zod';
import { type Environment, variable } from './environment.ts';
import { nearest } from './nearest-key.ts';
import type { Problem } from './problem.ts';
import { type Given, keyText, type Named, type Section, type Setting, variableOf } from './setting.ts';
import { allKeys } from './setting-list.ts';
import { settings } from './settings.ts';
import type { Written } from './yaml-tree.ts';

export interface ReadInput {
  readonly root: Written;
  readonly file: string;
  readonly environment: Environment;
}

export interface ReadResult {
  readonly given: Given<typeof settings>;
  readonly problems: readonly Problem[];
  /** Where a key was written. */
  readonly whereOf: (key: readonly string[]) => string;
}

/** Takes the file and the variables apart, setting by setting. A variable counts before the file. */
export function readSettings({ root, file, environment }: ReadInput): ReadResult {
  const problems: Problem[] = [];
  const places = new Map<string, string>();
  const report = (where: string, key: readonly string[], text: string) =>
    problems.push({ where, key: keyText(key), text });

  const readSection = (section: Section, written: Written | undefined, key: readonly string[], byName: boolean) => {
    const values: Record<string, unknown> = {};
    const entries = entriesOf(written, key, section.keys, section.about);
    for (const [name, entry] of entries) {
      if (!Object.hasOwn(section.keys, name))
        report(`${file}:${entry.line}`, [...key, name], unknown(name, key, section));
    }
    for (const [name, part] of Object.entries(section.keys)) {
      const entry = entries.get(name);
      const value = readPart(part, entry, [...key, name], byName);
      if (value !== undefined) values[name] = value;
    }
    return values;
  };

  const readPart = (
    part: Setting | Section | Named,
    written: Written | undefined,
    key: readonly string[],
    byName: boolean,
  ): unknown => {
    if (written !== undefined) places.set(keyText(key), `${file}:${written.line}`);
    if (part.kind === 'setting') return readSetting(part, written, key, byName);
    if (part.kind === 'section') {
      const values = readSection(part, written, key, byName);
      return Object.keys(values).length === 0 ? undefined : values;
    }
    if (written === undefined) return undefined;
    const named = [...entriesOf(written, key, {}, `A ${part.of} each, by name.`)].map(([name, entry]) => {
      places.set(keyText([...key, name]), `${file}:${entry.line}`);
      return [name, readSection(part.each, entry, [...key, name], true)] as const;
    });
    return new Map(named);
  };

  const readSetting = (part: Setting, written: Written | undefined, key: readonly string[], byName: boolean) => {
    const name = byName ? undefined : variableOf(key, part);
    const text = name === undefined ? undefined : variable(environment, name);
    if (name !== undefined && text !== undefined) {
      places.set(keyText(key), name);
      if (part.secret === true) return { env: name };
      return checked(part, readingsOf(text), name, key);
    }
    return written === undefined ? undefined : checked(part, [written.value], `${file}:${written.line}`, key);
  };

  const checked = (part: Setting, readings: readonly unknown[], where: string, key: readonly string[]): unknown => {
    const results = readings.map((reading) => part.shape.safeParse(reading));
    const good = results.find((result) => result.success);
    if (good !== undefined) return good.data;
    const issues = results.at(-1)?.error?.issues ?? [];
    for (const issue of issues) {
      const inside = issue.path.map((step) => `[${String(step)}]`).join('');
      problems.push({ where, key: keyText(key) + inside, text: refusal(part, readings.at(-1), issue) });
    }
    return undefined;
  };

  const entriesOf = (written: Written | undefined, key: readonly string[], keys: object, about: string) => {
    if (written === undefined || written.value === null || written.value === undefined) return nothing;
    if (written.entries !== undefined) return written.entries;
    const inside = Object.keys(keys).length === 0 ? '' : ` (${Object.keys(keys).join(', ')})`;
    // the value stays unsaid: it may be an address with a password in it
    report(`${file}:${written.line}`, key, `takes keys below it${inside}, no value of its own. ${about}`.trim());
    return nothing;
  };

  /** Of a key that is missing: the section that lacks it. */
  const placeOf = (key: readonly string[]): string =>
    key.length === 0 ? file : (places.get(keyText(key)) ?? placeOf(key.slice(0, -1)));

  const given = readSection(settings, root, [], false) as Given<typeof settings>;
  return { given, problems, whereOf: placeOf };
}

const nothing: ReadonlyMap<string, Written> = new Map();

function unknown(name: string, key: readonly string[], section: Section): string {
  const here = Object.keys(section.keys);
  const near = nearest(name, here);
  if (near !== undefined) return `is no key. Did you mean ${keyText([...key, near])}?`;
  const elsewhere = allKeys(settings).filter((known) => nearest(name, [known.at(-1) ?? '']) !== undefined);
  const moved = elsewhere.length === 0 ? '' : ` Did you mean ${elsewhere.slice(0, 2).map(keyText).join(' or ')}?`;
  return `is no key.${moved} Known here: ${here.join(', ')}`;
}

function refusal(part: Setting, value: unknown, issue: z.core.$ZodIssue): string {
  const write = `Write ${part.expects}`;
  if (value === null || value === undefined) return `has no value. ${write}, or take the line out`;
  const known = typeof value === 'string' ? part.refusals?.[value] : undefined;
  if (known !== undefined) return `${shown(value)} ${known}. ${write}`;
  if (part.secret === true || part.hidden === true) return `is not accepted. ${write}`;
  const inside = issue.path.reduce<unknown>((whole, step) => (whole as Record<PropertyKey, unknown>)[step], value);
  const reason = issue.code === 'custom' ? issue.message : 'is not accepted';
  return `${shown(inside)} ${reason}. ${write}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}

/** A variable holds text; a number or a list in it is read as the file would read it, and 1 and 0 may mean yes and no. */
function readingsOf(text: string): readonly unknown[] {
  const bit = text === '1' || text === '0' ? [text === '1'] : [];
  try {
    return [...bit, text, parse(text)];
  } catch {
    return [text];
  }
}

const longestShown = 80; // enough to find it again
