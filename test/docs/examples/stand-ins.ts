import { createHash } from 'node:crypto';

const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
/** Whole, or a part of it as ids, epochs and tables have them. */
const digest = /(?<![\w.-])(?:[0-9a-f]{64}|[0-9a-f]{32}|[0-9a-f]{16}|[0-9a-f]{12})(?![\w-])/g;

/**
 * What pages write in place of what is another in each run: ports, ids, digests. An id that is met for the n-th time as
 * a new one has the same stand-in in every run, so that pages do not change without a reason.
 */
export class StandIns {
  readonly #given: readonly (readonly [doc: string, real: string])[];
  readonly #met = new Map<string, string>();

  constructor(given: readonly (readonly [doc: string, real: string])[]) {
    this.#given = given;
  }

  /** A text of a page as it is true in this run. */
  toReal(text: string): string {
    let real = text;
    for (const [doc, value] of this.#given) real = real.replace(wholeWord(doc), () => value);
    for (const [value, doc] of this.#met) real = real.replaceAll(doc, value);
    return real;
  }

  /** What came out in this run, as a page writes it. */
  toDoc(text: string): string {
    let doc = text;
    for (const [written, value] of this.#given)
      doc = doc.replace(wholeWord(value, '( *)'), (_met, blanks: string) => padded(written, value, blanks));
    return doc
      .replace(uuid, (id) => this.#standInOf(id, asUuid))
      .replace(digest, (id) => this.#standInOf(id, asDigest).slice(0, id.length));
  }

  #standInOf(value: string, shape: (hash: string) => string): string {
    const known = this.#met.get(value);
    if (known !== undefined) return known;
    const made = shape(createHash('sha256').update(`${shape.name} ${this.#met.size}`).digest('hex'));
    this.#met.set(value, made);
    return made;
  }
}

function wholeWord(text: string, then = ''): RegExp {
  return new RegExp(`(?<![\\w.-])${text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?![\\w-])${then}`, 'g');
}

/** In a table the next column stays where it is. */
function padded(written: string, value: string, blanks: string): string {
  return blanks.length < 2
    ? written + blanks
    : written.padEnd(Math.max(written.length + 2, value.length + blanks.length));
}

function asUuid(hash: string): string {
  return hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
}

function asDigest(hash: string): string {
  return hash;
}
