import { analyticsPlan } from './analytics-plan.ts';
import type { CatalogPlan, DemoObject } from './catalog-plan.ts';
import { offlinePlan } from './offline-plan.ts';
import { shopPlan } from './shop-plan.ts';
import type { DemoCatalog } from './start-demo-sources.ts';

/** The metalake of the demo. */
export const demoMetalake = 'demo';
/** Who owns it, and who registers and reconciles in it. */
export const demoOwner = 'demo';
/** What kind of source each catalog of the demo has. */
export const provider = 'postgresql';

/** A catalog as it is registered, whether a source holds its objects or not. */
export interface RegisteredPlan extends Pick<CatalogPlan, 'comment' | 'owner'> {
  readonly name: DemoCatalog;
  readonly objects: readonly Omit<DemoObject, 'statement'>[];
}

/** Every catalog that has a source, with what is in it and what happens to it. */
export const sourcedPlans: readonly CatalogPlan[] = [shopPlan, analyticsPlan];

/** Every catalog, in the order in which they are shown. */
export const registeredPlans: readonly RegisteredPlan[] = [...sourcedPlans, offlinePlan];
