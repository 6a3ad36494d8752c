import { fileURLToPath, pathToFileURL } from 'node:url';
import { type NameDoubt, nameDoubt } from '../name-gate.ts';

/** Where something is stored, in one form however it was written: `s3a://b/x/` and `S3://b/x` are one place. */
export interface Place {
  readonly store: 'disk' | 's3';
  /** Empty on a disk. */
  readonly bucket: string;
  /** Folders from the top of the disk or the bucket, outermost first. */
  readonly folders: readonly string[];
}

/** Why a place is not asked about; each makes `unknown`. */
export type LocationDoubt =
  | 'location-missing'
  | 'location-of-another-store'
  | 'location-ambiguous'
  | 'location-outside-root'
  | NameDoubt;

/** Longest key of an object, and longest name of a file, in bytes. */
const longestKey = 1_024;
const longestFileName = 255;

/** The place that a text names as it stands, or why it names none. */
function readPlace(location: string): Place | LocationDoubt {
  const [, scheme = 'file', rest = ''] = /^(?:([a-z][a-z0-9+.-]*):)?(.*)$/is.exec(location) ?? [];
  switch (scheme.toLowerCase()) {
    case 's3':
    case 's3a':
    case 's3n': {
      const [, bucket, path = ''] = /^\/\/([^/]+)(?:\/(.*))?$/s.exec(rest) ?? [];
      return bucket === undefined ? 'location-ambiguous' : placeOf('s3', bucket, path);
    }
    case 'file': {
      const [, path] = /^(?:\/\/(?:localhost)?)?\/([^/].*)?$/s.exec(rest) ?? [];
      return path === undefined ? 'location-ambiguous' : placeOf('disk', '', path);
    }
    default:
      return 'location-of-another-store';
  }
}

/**
 * The folders below the root that a registered location may mean, at least one. Half of the clients write a location as an
 * address, in which `%20` is a blank, and half as a path, in which it is three characters: where the two differ, both are
 * asked about.
 */
export function foldersBelow(
  root: Place,
  location: string | undefined,
): readonly (readonly string[])[] | LocationDoubt {
  if (location === undefined) return 'location-missing';
  // Clients do not agree on what a question mark or a hash begins.
  if (/[?#]/.test(location)) return 'location-ambiguous';
  const place = readPlace(location);
  if (typeof place === 'string') return place;
  if (place.store !== root.store) return 'location-of-another-store';
  const readings: (readonly string[])[] = [];
  const other = decoded(place.folders);
  for (const folders of other === undefined ? [place.folders] : [place.folders, other]) {
    const doubt = doubtOf(root.store, folders);
    // an address is longer than the path that it stands for; as a path it may be one that cannot be
    if (doubt === 'name-too-long' && folders !== (other ?? folders)) continue;
    if (doubt !== undefined) return doubt;
    const isBelow =
      place.bucket === root.bucket &&
      folders.length > root.folders.length &&
      root.folders.every((name, level) => folders[level] === name);
    if (!isBelow) return 'location-outside-root';
    readings.push(folders.slice(root.folders.length));
  }
  return readings;
}

/** A place as a location, the way it is registered when it was found by listing. */
export function locationText({ store, bucket, folders }: Place): string {
  const path = `/${folders.join('/')}`;
  return store === 's3' ? `s3://${bucket}${path}` : pathToFileURL(path).href;
}

/** The root as a person wrote it: an address of a folder is read as such, everything else as it stands. */
export function readRoot(text: string): Place | LocationDoubt {
  const place = readPlace(addressedPath(text) ?? text);
  return typeof place === 'string' ? place : (doubtOf(place.store, place.folders) ?? place);
}

function addressedPath(text: string): string | undefined {
  try {
    return /^file:\/\//i.test(text) ? fileURLToPath(text) : undefined;
  } catch {
    return undefined; // the address of another host
  }
}

/** Slashes at the end say nothing. */
function placeOf(store: Place['store'], bucket: string, path: string): Place {
  const trimmed = path.replace(/\/+$/, '');
  const folders = trimmed === '' ? [] : trimmed.split('/');
  return { store, bucket, folders };
}

function doubtOf(store: Place['store'], folders: readonly string[]): LocationDoubt | undefined {
  for (const name of folders) {
    // An empty name or a dot is one place to some and another to others. An answer in XML cannot carry control characters.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is searched for
    if (/^\.{0,2}$|[/\u0001-\u001f\u007f\ufffe\uffff]/.test(name)) return 'location-ambiguous';
    const doubt = nameDoubt(name, { outerBlanks: 'kept', ...(store === 'disk' ? { maxBytes: longestFileName } : {}) });
    if (doubt !== undefined) return doubt;
  }
  const isLong = store === 's3' && Buffer.byteLength(folders.join('/')) > longestKey - '/_delta_log/'.length - 64;
  return isLong ? 'name-too-long' : undefined;
}

/** `undefined` where decoding changes nothing, or cannot be done. */
function decoded(folders: readonly string[]): readonly string[] | undefined {
  try {
    const names = folders.map(decodeURIComponent);
    return names.every((name, level) => name === folders[level]) ? undefined : names;
  } catch {
    return undefined; // a percent sign that is only that
  }
}
