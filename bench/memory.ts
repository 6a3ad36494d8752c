import { type Figure, figure } from './figure.ts';
import { startProduct } from './product.ts';
import type { Workshop } from './workshop.ts';

/** Enough for code to be compiled and for buffers to find their size. */
const roundsEach = 4;

/** How much more memory a worker of its own has after rounds of 100,000 than after rounds of 10,000. */
export async function measureMemory(workshop: Workshop): Promise<readonly Figure[]> {
  const estate = await workshop.estate();
  const product = await workshop.keep(startProduct(estate));
  const after = async (catalog: 'small' | 'large') => {
    for (let round = 0; round < roundsEach; round += 1) await product.round(estate[catalog]);
    const memory = await product.memory();
    workshop.tell(`after rounds of ${catalog}: ${memory.now.toFixed(0)} MB, at most ${memory.peak.toFixed(0)} MB`);
    return memory;
  };
  const small = await after('small');
  const large = await after('large');
  return [
    figure('worker memory after rounds of 10,000', small.now, 'MB'),
    figure('its growth by rounds of 100,000', large.now - small.now, 'MB', 64),
    figure('growth of its peak', large.peak - small.peak, 'MB'),
  ];
}
