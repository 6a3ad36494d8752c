import { InvalidArgumentError } from 'commander';

/** A whole number between two bounds. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It takes a whole number from ${least} to ${most}.`);
  };
}

/** A day or a moment in ISO form, in the future; a day means its beginning in UTC. Unix milliseconds. */
export function futureTime(now: () => number): (text: string) => number {
  return (text) => {
    const at = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?(\.\d+)?(Z|[+-]\d{2}:\d{2}))?$/.test(text)
      ? Date.parse(text)
      : Number.NaN;
    if (Number.isNaN(at)) throw new InvalidArgumentError('It takes a date: 2027-01-31, or 2027-01-31T18:00:00Z.');
    if (at <= now()) throw new InvalidArgumentError('It takes a time in the future.');
    return at;
  };
}
