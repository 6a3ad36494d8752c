import { invalid } from '../wire/fields.ts';

const schemes = ['file', 's3', 'gs', 'abfs', 'abfss'];
/** The folder below a managed root that belongs to managed storage alone. */
const managedFolder = '__unitystorage';

/**
 * The one form in which locations are stored, compared, answered and put before credentials: `file:///a/b`,
 * `s3://bucket/a/b`. No trailing or doubled slash, no `.` and no `..`. A plain absolute path is a file.
 */
export function normalizeLocation(location: string): string {
  if (location.startsWith('/')) return `file://${path(location, location)}`;
  const [, scheme = '', rest = ''] = /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/s.exec(location) ?? [];
  if (scheme === '') throw invalid(`Location is neither an absolute path nor a URI: ${shown(location)}.`);
  if (!schemes.includes(scheme.toLowerCase()))
    throw invalid(`Unsupported URI scheme: ${scheme} in ${shown(location)}.`);
  return scheme.toLowerCase() === 'file'
    ? fileLocation(rest, location)
    : bucketLocation(scheme.toLowerCase(), rest, location);
}

/** Whether `inner` is strictly below `outer`; both normalised. */
export function isBelow(inner: string, outer: string): boolean {
  return inner.length > outer.length && inner.startsWith(outer.endsWith('/') ? outer : `${outer}/`);
}

/** Whether the two are one place, or one holds the other; both normalised. */
export function overlaps(one: string, other: string): boolean {
  return one === other || isBelow(one, other) || isBelow(other, one);
}

/** Refuses what no EXTERNAL table may claim, whoever else is there. */
export function checkExternalLocation(location: string): void {
  const segments = segmentsOf(location);
  if (segments.length === 0) throw invalid(`A table cannot be at the root of its storage: ${shown(location)}.`);
  if (segments.includes(managedFolder)) {
    throw invalid(`An EXTERNAL table cannot be in managed storage (${managedFolder}): ${shown(location)}.`);
  }
}

function segmentsOf(location: string): readonly string[] {
  return location
    .replace(/^[a-z0-9]+:\/\/[^/]*/, '')
    .split('/')
    .filter((segment) => segment !== '');
}

/** `/x`, `//x` with an empty authority only, `///x`. */
function fileLocation(rest: string, whole: string): string {
  const [, authority = '', absolute = ''] = /^(?:\/\/([^/]*))?(\/.*)?$/s.exec(rest) ?? [];
  if (authority !== '' || absolute === '') throw invalid(`A file location is "file:///" and a path: ${shown(whole)}.`);
  return `file://${path(absolute, whole)}`;
}

function bucketLocation(scheme: string, rest: string, whole: string): string {
  const [, authority = '', below = ''] = /^\/\/([^/]*)(.*)$/s.exec(rest) ?? [];
  if (authority === '') throw invalid(`A location needs a bucket or container: ${shown(whole)}.`);
  const inside = path(below, whole);
  return `${scheme}://${authority}${inside === '/' ? '' : inside}`;
}

function path(text: string, whole: string): string {
  const kept: string[] = [];
  for (const segment of text.split('/')) {
    // what a file system or a store would decode to a step upwards is one
    const step = segment.replaceAll(/%2e/gi, '.');
    if (step === '' || step === '.') continue;
    if (step !== '..') kept.push(segment);
    else if (kept.pop() === undefined) throw invalid(`Location leaves its root: ${shown(whole)}.`);
  }
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f]/.test(text)) throw invalid(`Location has a control character: ${shown(whole)}.`);
  return `/${kept.join('/')}`;
}

function shown(location: string): string {
  return JSON.stringify(location.slice(0, 300));
}
