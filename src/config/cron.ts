import { type CronExpression, CronExpressionParser } from 'cron-parser';

/**
 * What is wrong with a cron expression, as the end of a sentence; `undefined` for one that we and the Temporal server
 * read alike: five fields, numbers and names, lists, ranges and steps.
 */
export function cronProblem(expression: string): string | undefined {
  const fields = expression.trim().split(/\s+/);
  if (fields.length !== 5) return 'must have five fields: minute, hour, day of month, month, day of week';
  const odd = fields.find((field, index) => !(readings[index] ?? plain).test(field));
  if (odd !== undefined) return `holds ${JSON.stringify(odd)}, which not everybody reads alike`;
  const [, , dayOfMonth = '*', , dayOfWeek = '*'] = fields;
  if (dayOfMonth !== '*' && dayOfWeek !== '*') {
    return 'names days of the month and of the week: cron takes either, Temporal takes days that are both';
  }
  try {
    parse(expression);
    return undefined;
  } catch (error) {
    return `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** The shortest time between two nominal times, in milliseconds; the same whenever it is asked. */
export function shortestGapMs(expression: string): number {
  const { minute, hour, dayOfMonth, month, dayOfWeek } = parse(expression).fields;
  const times = hour.values.flatMap((h) => minute.values.map((m) => h * 60 + m));
  const [first = 0] = times;
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  const days = new Set<number | string>(dayOfMonth.values);
  const fits = (date: Date) =>
    (month.values as readonly number[]).includes(date.getUTCMonth() + 1) &&
    days.has(date.getUTCDate()) &&
    (dayOfWeek.values as readonly number[]).includes(date.getUTCDay());
  let daysApart = Number.POSITIVE_INFINITY;
  let previous: number | undefined;
  for (let day = 0; day < daysLookedAt; day += 1) {
    if (!fits(new Date(aMonday + day * dayMs))) continue;
    if (previous !== undefined) daysApart = Math.min(daysApart, day - previous);
    previous = day;
  }
  const overNight = daysApart * 24 * 60 - (times.at(-1) ?? 0) + first;
  return Math.min(...gaps, overNight) * minuteMs;
}

function parse(expression: string): CronExpression {
  return CronExpressionParser.parse(expression, { tz: 'UTC' });
}

/** Letters beyond the names (L, H, #, ?) belong to dialects. */
const plain = /^[\d*,/-]+$/;
const readings: readonly RegExp[] = [
  plain,
  plain,
  plain,
  /^(?:[\d*,/-]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)+$/i,
  /^(?:[\d*,/-]|sun|mon|tue|wed|thu|fri|sat)+$/i,
];

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const aMonday = Date.UTC(2024, 0, 1); // any fixed day does; this one is followed by a 29 February
const daysLookedAt = 9 * 366; // two of those
