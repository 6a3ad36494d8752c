import type { Named, Section, Setting } from './setting.ts';

/** Every setting below a section by its full key, in the order of declaration; names of the user's stand as `<name>`. */
export function listSettings(
  section: Section,
  key: readonly string[] = [],
  byName = false,
): readonly { readonly key: readonly string[]; readonly setting: Setting; readonly byName: boolean }[] {
  return Object.entries(section.keys).flatMap(([name, part]) => {
    const here = [...key, name];
    if (part.kind === 'setting') return [{ key: here, setting: part, byName }];
    return part.kind === 'section'
      ? listSettings(part, here, byName)
      : listSettings(part.each, [...here, `<${part.of}>`], true);
  });
}

/** Full keys of settings, sections and named parts. */
export function allKeys(section: Section, key: readonly string[] = []): readonly (readonly string[])[] {
  return Object.entries(section.keys).flatMap(([name, part]: [string, Setting | Section | Named]) => {
    const here = [...key, name];
    if (part.kind === 'setting') return [here];
    return part.kind === 'section'
      ? [here, ...allKeys(part, here)]
      : [here, ...allKeys(part.each, [...here, `<${part.of}>`])];
  });
}
