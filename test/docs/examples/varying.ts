/** Moments in each form that we print: ISO, Unix milliseconds, the one of HTTP. */
const moments = [
  /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|\+00(?::?00)?)?/g,
  /\b1[6-9]\d{11}\b/g,
  /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/g,
];

/** A server and a database as their own numbers, and cursors, which have ids in them. */
const marks = [/\b\d{15,20}\/\d+\b/g, /(?<="next": ")[^"]+(?=")/g];

/** How long something took, or takes until it ends: as good as a moment. */
const spans: readonly (readonly [RegExp, string])[] = [
  [/("\w+(?:Ms|Seconds)": )\d+(?:\.\d+)?/g, '$1«span»'],
  [/\b\d+(?:\.\d+)? (?:ms|s|min)\b/g, '«span»'],
];

/** What is left of an output when everything is taken out that two runs need not have in common. */
export function comparable(output: string): string {
  let text = output;
  for (const moment of moments) text = text.replace(moment, '«moment»');
  for (const mark of marks) text = text.replace(mark, '«mark»');
  for (const [span, name] of spans) text = text.replace(span, name);
  return (
    text
      .split('\n')
      // columns are as wide as the names in them
      .map((line) => line.replace(/(?<=\S) {2,}/g, '  ').trimEnd())
      .join('\n')
  );
}
