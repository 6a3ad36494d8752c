import { applySchedules } from '../src/schedules/apply.ts';
import { wantedSchedules } from '../src/schedules/desired.ts';
import { policyFor } from '../src/config/policy-for.ts';
import { scheduleId } from '../src/contract/names.ts';
import { until } from '../test/support/until.ts';
import { ledgerDatabase } from './estate.ts';
import { type Figure, figure, median, secondsOf } from './figure.ts';
import { startProduct } from './product.ts';
import type { Workshop } from './workshop.ts';

const passes = 3;

/** A hundred catalogs whose schedules come due at one moment, with one worker process and with two. */
export async function measureManyCatalogs(workshop: Workshop): Promise<readonly Figure[]> {
  const { postgres, services, many, ...estate } = await workshop.estate();
  const product = await workshop.keep(startProduct({ ...estate, postgres, services, many }));
  const { schedule } = product.client;
  const wanted = many.map((name) => ({ name, ...policyFor(services.config, name.metalake, name.catalog) }));
  await applySchedules(schedule, wantedSchedules(wanted));
  const published = async (): Promise<number> => {
    const counted = await postgres.sql(
      `select count(*)::int as count from rounds where state = 'published' and catalog like 'bench/many%'`,
      ledgerDatabase,
    );
    return Number(counted[0]?.['count']);
  };
  const pass = async (): Promise<number> => {
    const before = await published();
    return secondsOf(async () => {
      await Promise.all(many.map((name) => schedule.getHandle(scheduleId(name)).trigger()));
      const all = before + many.length;
      await until('all catalogs have a new round', 600_000, async () => (await published()) >= all, 100);
    });
  };
  const median3 = async (who: string): Promise<number> => {
    await pass(); // to get warm
    const taken: number[] = [];
    for (let number = 0; number < passes; number += 1) taken.push(await pass());
    workshop.tell(`${who}: ${taken.map((seconds) => seconds.toFixed(1)).join(', ')} s`);
    return median(taken);
  };
  const one = await median3('one worker');
  await product.addWorker();
  const two = await median3('two workers');
  return [
    figure(`${many.length} catalogs on their schedules at once, one worker`, one, 's'),
    figure(`${many.length} catalogs on their schedules at once, two workers`, two, 's'),
    figure('two workers / one worker', two / one, 'x'),
  ];
}
