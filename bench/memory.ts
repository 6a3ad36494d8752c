import type { CatalogName } from '../src/contract/names.ts';
import { type Figure, figure, secondsOf } from './figure.ts';
import { startProduct } from './product.ts';
import type { Workshop } from './workshop.ts';

/** Enough for code to be compiled and for buffers to find their size. */
const roundsEach = 4;

/** How much more memory a worker of its own has after rounds of 100,000 and of 1,000,000 than after rounds of 10,000. */
export async function measureMemory(workshop: Workshop): Promise<readonly Figure[]> {
  const estate = await workshop.estate();
  const product = await workshop.keep(startProduct(estate));
  const after = async (name: CatalogName, rounds: number) => {
    const seconds = await secondsOf(async () => {
      for (let round = 0; round < rounds; round += 1) await product.round(name);
    });
    const memory = await product.memory();
    workshop.tell(
      `after ${rounds} rounds of ${name.catalog}, ${(seconds / rounds).toFixed(1)} s each: ${memory.now.toFixed(0)} MB, at most ${memory.peak.toFixed(0)} MB`,
    );
    return { ...memory, seconds: seconds / rounds };
  };
  const small = await after(estate.small, roundsEach);
  const large = await after(estate.large, roundsEach);
  const million = await after(await estate.million(), 2);
  return [
    figure('worker memory after rounds of 10,000', small.now, 'MB'),
    figure('its growth by rounds of 100,000', large.now - small.now, 'MB'),
    figure('its growth by rounds of 1,000,000', million.now - small.now, 'MB', 64),
    figure('growth of its peak by rounds of 1,000,000', million.peak - small.peak, 'MB'),
    figure('round of 1,000,000 / ten of 100,000', million.seconds / large.seconds / 10, 'x'),
    figure('round of 1,000,000', million.seconds, 's'),
  ];
}
