/** Closes an exhaustive `switch`: the compiler refuses a call as long as a case is missing. */
export function impossible(value: never): never {
  throw new TypeError(`no such case: ${JSON.stringify(value)}`);
}
