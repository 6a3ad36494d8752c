import type { Ledger } from '../../../src/ledger/ledger.ts';
import { gate } from './world-steps.ts';

/** Where a step of the ledger can be made to wait: before it is taken, or after it was and before its caller knows. */
export type Stand = 'before' | 'after';

/** The steps that tests stand at. */
export type LedgerStep =
  | 'rounds.open'
  | 'rounds.appendSnapshot'
  | 'rounds.recordJudgements'
  | 'rounds.publish'
  | 'decisions.decide'
  | 'removals.next'
  | 'removals.openIntent'
  | 'removals.settle';

interface Waiting {
  readonly catalog: string;
  readonly step: LedgerStep;
  readonly at: Stand;
  readonly pass: () => Promise<void>;
}

export interface GatedLedger {
  readonly ledger: Ledger;
  /** Lets the next such step of a catalog wait. */
  hold(catalog: string, step: LedgerStep, at?: Stand): Pick<ReturnType<typeof gate>, 'reached' | 'open'>;
}

/** A ledger whose steps wait where a test wants them to. Everything else goes through as it is. */
export function gatedLedger(real: Ledger): GatedLedger {
  const waiting = new Set<Waiting>();
  /** Rounds and intents are named by their ids after they were opened. */
  const catalogOf = new Map<string, string>();

  const meet = async (step: string, at: Stand, catalog: string): Promise<void> => {
    for (const one of waiting) {
      if (one.step !== step || one.at !== at || one.catalog !== catalog) continue;
      waiting.delete(one);
      await one.pass();
    }
  };
  const part = <Part extends object>(name: string, methods: Part): Part => {
    const gated = Object.entries(methods).map(([method, call]: [string, (...args: unknown[]) => Promise<unknown>]) => [
      method,
      async (...args: unknown[]) => {
        const step = `${name}.${method}`;
        const { id, catalog = catalogOf.get(id) ?? id } = named(args[0]);
        if (id !== '') catalogOf.set(id, catalog);
        await meet(step, 'before', catalog);
        const answer = await call(...args);
        await meet(step, 'after', catalog);
        return answer;
      },
    ]);
    return Object.fromEntries(gated) as Part;
  };
  return {
    ledger: {
      ...real,
      rounds: part('rounds', real.rounds),
      decisions: part('decisions', real.decisions),
      removals: part('removals', real.removals),
    },
    hold(catalog, step, at = 'before') {
      const { pass, reached, open } = gate();
      waiting.add({ catalog, step, at, pass });
      return { reached, open };
    },
  };
}

/** What a step is about, by its first argument: a key or an id as it is, or an input that has them. */
function named(input: unknown): { readonly id: string; readonly catalog?: string } {
  if (typeof input === 'string') return { id: input };
  if (typeof input !== 'object' || input === null) return { id: '' };
  const text = (key: string): string | undefined => {
    const value: unknown = Reflect.get(input, key);
    return typeof value === 'string' ? value : undefined;
  };
  const catalog = text('catalog');
  return { id: text('id') ?? text('intent') ?? '', ...(catalog === undefined ? {} : { catalog }) };
}
