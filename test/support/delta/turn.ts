/** The value after every other runnable step had its turn, so that what runs at once really mixes. */
export function turn<T>(value: T): Promise<T> {
  return new Promise((resolve) => setImmediate(() => resolve(value)));
}
