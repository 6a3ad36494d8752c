import { type Figure, figure, median, secondsOf } from './figure.ts';
import { openBareLoop } from './bare-loop.ts';
import type { Workshop } from './workshop.ts';

/** Odd, and enough for a median that one disturbance does not move. */
const passes = 5;

/** A durable round of 100,000 registrations against the bare loop, one after the other in turn. */
export async function measureRound(workshop: Workshop): Promise<readonly Figure[]> {
  const estate = await workshop.estate();
  const product = await workshop.product();
  const bare = await workshop.keep(openBareLoop(estate));
  const taken = { loop: [] as number[], durable: [] as number[] };
  let asked = 0;
  const loop = async (): Promise<void> => {
    asked = await bare.run();
  };
  for (let pass = 0; pass <= passes; pass += 1) {
    const loopSeconds = await secondsOf(loop);
    await bare.forget();
    const durableSeconds = await secondsOf(() => product.round(estate.large));
    const which = pass === 0 ? 'to get warm' : `${pass} of ${passes}`;
    workshop.tell(`${which}: bare loop ${loopSeconds.toFixed(2)} s, durable round ${durableSeconds.toFixed(2)} s`);
    if (pass === 0) continue;
    taken.loop.push(loopSeconds);
    taken.durable.push(durableSeconds);
  }
  const [loopMedian, durableMedian] = [median(taken.loop), median(taken.durable)];
  const what = `round of ${asked} registrations`;
  return [
    figure(`${what} / bare loop`, durableMedian / loopMedian, 'x', 2.5),
    figure(what, durableMedian, 's'),
    figure(`bare loop over ${asked} registrations`, loopMedian, 's'),
  ];
}
