/** What is wrong with the name of a metalake or a catalog, as the end of a sentence. */
export function nameProblem(name: string): string | undefined {
  if (name === '') return 'is an empty name';
  if (/\p{Surrogate}/u.test(name)) return 'is no valid Unicode';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the control characters are what is refused
  if (/[\u0000-\u001f\u007f]/.test(name)) return 'holds a control character';
  if (name === '.' || name === '..') return 'cannot stand in an address: browsers and proxies take it for a folder';
  if (name.length > longestName) return `is longer than ${longestName} characters`;
  return undefined;
}

/** What is wrong with a catalog's two names together. */
export function pairProblem(metalake: string, catalog: string): string | undefined {
  const id = `reconcile/${encodeURIComponent(metalake)}/${encodeURIComponent(catalog)}`;
  return id.length > longestId
    ? 'is too long for an id in Temporal once its special characters are escaped'
    : undefined;
}

/** Names that are equal by this are one name to whoever reads or types them. */
export function asRead(name: string): string {
  return name.normalize('NFC');
}

// Two of them and a slash fit into the 255 characters that Temporal's SQL databases keep of a search attribute.
const longestName = 120;
const longestId = 960; // of 1,000; the server appends the nominal time to the id of a scheduled workflow
