import type { Actor } from '../../src/domain/actor.ts';
import type { DecisionAction } from '../../src/domain/decision.ts';
import { pathText } from '../../src/domain/path.ts';
import type { VerdictKind } from '../../src/domain/verdict.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { hour } from '../support/builders.ts';
import type { World } from '../support/world/world.ts';
import type { Coverage } from './coverage.ts';
import type { Act } from './history.ts';
import { changed, intervalMs, type Simulation } from './simulation.ts';
import type { Witness } from './witness.ts';

export const ada: Actor = { name: 'ada', verified: false, via: 'api' };
const grace: Actor = { name: 'grace', verified: false, via: 'api' };

export const keyOf = ({ catalog }: World): string => pathText(['world', catalog]);

interface Room {
  readonly simulation: Simulation;
  readonly ledger: Ledger;
  readonly witness: Witness;
  readonly coverage: Coverage;
}

/** Does what people do, straight at the ledger as the API and the review's update do; says whether it was one of those. */
export async function actAsPerson(room: Room, act: Act): Promise<boolean> {
  const { simulation, ledger } = room;
  const world = simulation.world('pick' in act ? act.pick : 0);
  const catalog = keyOf(world);
  const now = simulation.now();
  switch (act.do) {
    case 'decide':
      await decide(room, catalog, act);
      return true;
    case 'override': {
      const id = `override ${catalog} ${(simulation.requests += 1)}`;
      const expiresAt = now + act.hours * hour;
      const answer = await ledger.decisions.override({
        id,
        catalog,
        actor: ada,
        reason: 'looked at',
        maxCount: act.max,
        expiresAt,
        now,
      });
      room.coverage.saw('override', answer.answer === 'created' ? 'created' : answer.reason);
      return true;
    }
    case 'second-eyes': {
      const [newest] = await ledger.decisions.overrides(catalog, 1, now);
      if (newest === undefined) return true;
      const actor = act.same ? ada : grace;
      const answer = await ledger.decisions.approveOverride({ id: newest.id, catalog, actor, now });
      room.coverage.saw('second eyes', answer.answer === 'approved' ? 'approved' : answer.reason);
      return true;
    }
    case 'restore': {
      const gone = (await ledger.removals.page({ catalog, limit: 50 })).filter(({ outcome }) => outcome === 'removed');
      const removal = gone[act.pick % Math.max(1, gone.length)];
      if (removal === undefined) return true;
      const id = `restore ${catalog} ${(simulation.requests += 1)}`;
      const wish = { id, catalog, removal: removal.id, actor: ada, canRestore: true, now };
      const answer = await ledger.restores.request(wish);
      room.coverage.saw('restore', answer.answer === 'requested' ? 'requested' : answer.reason);
      return true;
    }
    case 'pause':
      await ledger.decisions.pause(catalog, { by: ada.name, reason: 'wait', at: now }, ada);
      return true;
    case 'resume':
      await ledger.decisions.resume(catalog, ada, now);
      return true;
    case 'accept-source':
      for (const each of simulation.worlds) {
        await ledger.decisions.acceptSource(keyOf(each), ada, 'it moved', now);
        room.witness.forgetIdentities(keyOf(each)); // whoever accepts says that what was known is of another system
      }
      return true;
    case 'policy': {
      for (const each of simulation.worlds) {
        const { policy } = await ledger.catalogs.policy(keyOf(each));
        const next = changed(policy, act.change);
        await ledger.catalogs.applyPolicy({ catalog: keyOf(each), policy: next, intervalMs, actor: ada, now });
      }
      return true;
    }
    case 'clock':
      await simulation.advance(act.ms);
      return true;
    default:
      return false;
  }
}

/** The verdict that a decision is about; a person looks for such findings first. */
const fits: Readonly<Partial<Record<DecisionAction, VerdictKind>>> = {
  approve: 'absent',
  repoint: 'renamed',
  accept: 'replaced',
};

async function decide(
  { simulation, ledger, witness, coverage }: Room,
  catalog: string,
  act: Extract<Act, { do: 'decide' }>,
): Promise<void> {
  const now = simulation.now();
  const open = await ledger.findings.page({ catalog, state: 'open', limit: 200 }, now);
  const fitting = open.filter(({ standing }) => standing.verdict === fits[act.action]);
  const choice = fitting.length > 0 ? fitting : open;
  const finding = choice[act.pick % Math.max(1, choice.length)];
  for (const { id, digest } of open) if (!simulation.seen.has(id)) simulation.seen.set(id, digest);
  if (finding === undefined) return;
  const digest = act.outdated ? (simulation.seen.get(finding.id) ?? finding.digest) : finding.digest;
  const input = {
    catalog,
    items: [
      {
        findingId: finding.id,
        digest,
        action: act.action,
        ...(act.action === 'keep' && act.keepHours > 0 ? { keepUntil: now + act.keepHours * hour } : {}),
      },
    ],
    actor: ada,
    canRepoint: true,
    requestKey: `decision ${(simulation.requests += 1)}`,
    now,
    notAfter: now + 60_000,
  };
  const [answer] = await ledger.decisions.decide(input);
  if (answer === undefined) throw new Error('a decision without an answer');
  coverage.saw('decision', `${act.action} ${answer.answer === 'accepted' ? 'accepted' : answer.reason}`);
  if (act.action === 'accept' && answer.answer === 'accepted') witness.forget(catalog, finding.entity);
  if (!act.twice || answer.answer === 'refused') return;
  const [again] = await ledger.decisions.decide(input);
  if (again?.answer !== 'accepted' || again.decisionId !== answer.decisionId)
    witness.broken('a repeated decision answers as the first time', { first: answer, again });
}
