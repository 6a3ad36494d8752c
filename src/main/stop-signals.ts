/**
 * npm passes on the signal that a terminal has sent to the whole process group already: what follows within this time
 * is the same Ctrl-C, not a second one.
 */
const sameSignalMs = 1_000;

/** Resolves at the first SIGINT or SIGTERM. A second one ends the process at once, for whoever cannot wait. */
export function untilSignalled(onImpatience: () => void): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let heardAt: number | undefined;
    const hear = (signal: NodeJS.Signals): void => {
      const now = performance.now();
      if (heardAt !== undefined && now - heardAt > sameSignalMs) onImpatience();
      heardAt ??= now;
      resolve(signal);
    };
    process.on('SIGINT', hear);
    process.on('SIGTERM', hear);
  });
}
