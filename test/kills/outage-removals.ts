import { expect } from 'vitest';
import { until } from '../support/until.ts';
import { callsTo } from './api-calls.ts';
import { type Deployment, startMs } from './deployment.ts';
import type { Told } from './outage.ts';
import { removalPhases, type RemovalPhase } from './phases.ts';

const patienceMs = 240_000;

/** Between two removals, while the review keeps its pace. */
export type PhaseOfReview = RemovalPhase | 'pacing';

/** Two approved removals of one catalog, the first of them brought to one phase. */
export interface RemovalAtPhase {
  approve(): Promise<void>;
  readonly isMet: () => Promise<boolean>;
  release(): void;
  /** Makes the second object exist again, as somebody may at any moment. */
  recreate(): Promise<void>;
  /** Waits until both have come to their ends; rounds go on meanwhile, as they would by schedule. */
  goesOn(since: number): Promise<Told>;
}

/** Lets two tables be missing for as long as it takes. The catalog's name is that of the phase. */
export async function removalAt(
  at: Deployment,
  phase: PhaseOfReview,
  { gone, back }: { readonly gone: string; readonly back: string },
): Promise<RemovalAtPhase> {
  const catalog = phase;
  const key = `lake/${catalog}`;
  const calls = callsTo(() => at.api, 'lake', catalog);
  const round = async (): Promise<void> => void (await calls.round(startMs));
  await at.atSource(catalog, `drop table app.${gone}; drop table app.${back}`);
  await round();
  await round();
  const findings = (await calls.stale()).filter(({ path }) => path === `app/${gone}` || path === `app/${back}`);
  const [first, second] = findings.sort((a) => (a.path === `app/${gone}` ? -1 : 1));
  if (first === undefined || second === undefined) throw new Error(`${key}: the tables were not found missing`);
  const known = { catalog, roundId: '', entity: first.registration };
  const held = phase === 'pacing' ? undefined : removalPhases[phase](at, known);

  const outcomes = async (path: string): Promise<readonly string[]> => {
    const rows = await at.ledger(
      `select outcome from removals where catalog = '${key}' and path = '${path}' order by at`,
    );
    return rows.map(({ outcome }) => String(outcome));
  };
  const isOver = async (): Promise<boolean> => {
    const [row] = await at.ledger(
      `select (select count(*)::int from decisions where catalog = '${key}' and state = 'active') as waiting,
         (select count(*)::int from intents where catalog = '${key}' and state = 'open') as open`,
    );
    return row?.['waiting'] === 0 && row['open'] === 0;
  };
  /** Whether nothing more will happen before another round was published. */
  const waitsForRound = async (): Promise<boolean> => {
    const [row] = await at.ledger(
      `select c.state <> 'ok' or c.stop is not null or exists (
           select from decisions d join findings f on f.id = d.finding
           where d.catalog = c.key and d.state = 'active' and not (f.standing ->> 'ripe')::boolean) as waits
       from catalogs c where c.key = '${key}' and not exists (
         select from intents i where i.catalog = c.key and i.state = 'open')`,
    );
    return row?.['waits'] === true;
  };

  return {
    async approve() {
      for (const finding of [first, second]) {
        const answered = calls.approve([finding], finding.path.replace('/', '-'));
        // the second may wait for what the first removal has locked where it stands: then it was sent, and is decided later
        const answer = finding === second ? await answered.catch(() => undefined) : await answered;
        if (answer !== undefined) expect(answer.answers.map((each) => each.answer)).toEqual(['accepted']);
      }
    },
    isMet: async () => (held === undefined ? (await outcomes(first.path)).length > 0 : held.isMet()),
    release: () => held?.release(),
    recreate: async () => void (await at.atSource(catalog, `create table app.${back} (id int)`)),
    async goesOn(since) {
      let rounds = 0;
      await until(
        `the removals of ${key} come to their ends`,
        patienceMs,
        async () => {
          if (await isOver()) return true;
          if (rounds < 4 && (await waitsForRound())) {
            rounds += 1;
            await round();
          }
          return false;
        },
        200,
      );
      const seconds = (performance.now() - since) / 1_000;
      const became = `${(await outcomes(first.path)).join(', then ')}${rounds === 0 ? '' : ` (after ${rounds} round(s))`}`;
      return { what: 'removal', phase, became, seconds };
    },
  };
}
