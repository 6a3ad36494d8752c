/**
 * What of an answer is not as a case expects it, as text with a path; empty where it fits. Objects are compared by the
 * keys that are expected, arrays by position and length.
 */
export function mismatches(actual: unknown, expected: unknown, path = 'body'): string[] {
  if (typeof expected === 'string') return textMismatch(actual, expected, path);
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return [told(path, actual, expected)];
    return expected.flatMap((item, index) => mismatches(actual[index], item, `${path}[${index}]`));
  }
  if (typeof expected !== 'object' || expected === null) {
    return Object.is(actual, expected) ? [] : [told(path, actual, expected)];
  }
  if ('<set>' in expected) return setMismatch(actual, expected['<set>'], path);
  if ('<length>' in expected) {
    return Array.isArray(actual) && actual.length === expected['<length>'] ? [] : [told(path, actual, expected)];
  }
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) return [told(path, actual, expected)];
  return Object.entries(expected).flatMap(([key, value]) =>
    mismatches((actual as Readonly<Record<string, unknown>>)[key], value, `${path}.${key}`),
  );
}

function textMismatch(actual: unknown, expected: string, path: string): string[] {
  const [, kind, argument = ''] = /^<(any|absent|contains|regex|not|int)(?::(.*))?>$/s.exec(expected) ?? [];
  return fits(kind, argument, actual, expected) ? [] : [told(path, actual, expected)];
}

function fits(kind: string | undefined, argument: string, actual: unknown, expected: string): boolean {
  switch (kind) {
    case 'any':
      return actual !== undefined && actual !== null;
    case 'absent':
      return actual === undefined || actual === null;
    case 'contains':
      return typeof actual === 'string' && actual.toLowerCase().includes(argument.toLowerCase());
    case 'regex':
      return typeof actual === 'string' && new RegExp(argument).test(actual);
    case 'not':
      return actual !== undefined && actual !== argument && JSON.stringify(actual) !== argument;
    default:
      // saved numbers come back as text
      return actual === expected || (typeof actual === 'number' && String(actual) === expected);
  }
}

function setMismatch(actual: unknown, expected: unknown, path: string): string[] {
  const sorted = (list: unknown) => (Array.isArray(list) ? JSON.stringify(list.map(String).sort()) : undefined);
  return sorted(actual) === sorted(expected) ? [] : [told(path, actual, expected)];
}

function told(path: string, actual: unknown, expected: unknown): string {
  return `${path} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`;
}
