import { canonical } from '../domain/digest.ts';

type Settings = Readonly<Record<string, unknown>>;

/** Every setting that differs, with both values; order of keys and absent members do not count as a difference. */
export function changesBetween(
  from: object,
  to: object,
): Record<string, { readonly from: unknown; readonly to: unknown }> {
  const [before, after]: readonly [Settings, Settings] = [{ ...from }, { ...to }];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return Object.fromEntries(
    names
      .filter((name) => canonical(before[name]) !== canonical(after[name]))
      .map((name) => [name, { from: before[name] ?? null, to: after[name] ?? null }]),
  );
}
