import { catalogKey } from '../addresses.ts';
import type { RoundParams } from '../round-lookup.ts';

/** Many who watch one round ask its workflow once: each question costs a worker a task. */
export function sharedLooks<T>(
  look: (params: RoundParams) => Promise<T>,
  freshMs: number,
): (params: RoundParams) => Promise<T> {
  const looks = new Map<string, Promise<T>>();
  return (params) => {
    const key = `${catalogKey(params)}/${params.roundId}`;
    const known = looks.get(key);
    if (known !== undefined) return known;
    const fresh = look(params);
    looks.set(key, fresh);
    const forget = (): void => void looks.delete(key);
    fresh.then(() => setTimeout(forget, freshMs).unref(), forget);
    return fresh;
  };
}
