/** What people type to reach this command line, from a clone as well as after an installation. */
export const ownName = 'npx catalog-reconciler';

/** Words as a POSIX shell reads them back, so that a suggested command can be copied whatever a name holds. */
export function shellWords(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
}
