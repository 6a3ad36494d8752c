/** Resolves at the first SIGINT or SIGTERM. A second one ends the process at once, for whoever cannot wait. */
export function untilSignalled(onImpatience: () => void): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let heard = false;
    const hear = (signal: NodeJS.Signals): void => {
      if (heard) onImpatience();
      heard = true;
      resolve(signal);
    };
    process.on('SIGINT', hear);
    process.on('SIGTERM', hear);
  });
}
