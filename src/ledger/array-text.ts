/*
 * Arrays as the text that PostgreSQL reads, one parameter each. Both drivers would write them too, but more slowly, and a
 * batch is thousands of values long.
 */

export function numberArray(values: readonly number[]): string {
  return `{${values.join(',')}}`;
}

export function textArray(values: readonly (string | undefined)[]): string {
  return `{${values.map((value) => (value === undefined ? 'NULL' : `"${value.replace(/["\\]/g, '\\$&')}"`)).join(',')}}`;
}
