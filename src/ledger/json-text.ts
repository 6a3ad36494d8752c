/**
 * JSON that fits a `jsonb` column whatever names and comments hold. PostgreSQL refuses NUL and lone surrogates in it,
 * and one odd table name must not keep a whole round from being written. They are stored as a private-use character and
 * four digits; that character itself likewise, so that reading gives back exactly what was written. Only for `jsonb`: nothing
 * undoes it in a text column.
 */
const mark = '\ue000';

/** An escape of JSON, or the mark standing for itself. An escaped backslash is one escape, whatever follows it. */
const escapes = /\\(?:u([0-9a-f]{4})|.)|\ue000/g;
const stored = /\ue000([0-9a-f]{4})/g;

export function toJsonText(value: unknown): string {
  const text = JSON.stringify(value);
  if (!text.includes('\\u') && !text.includes(mark)) return text;
  return text.replace(escapes, (escape, code?: string) => {
    if (escape === mark) return `${mark}e000`;
    return code === '0000' || (code !== undefined && code >= 'd800' && code <= 'dfff') ? `${mark}${code}` : escape;
  });
}

/** What {@link toJsonText} wrote, after a driver has parsed it. */
export function fromJson(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.includes(mark)
      ? value.replace(stored, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
      : value;
  }
  if (Array.isArray(value)) return value.map(fromJson);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [fromJson(key), fromJson(member)]));
}
