import type { RoundRun } from '../../../src/api/gateway.ts';
import { type CatalogName, reviewWorkflowId, roundWorkflowId } from '../../../src/contract/names.ts';
import type { RoundResult } from '../../../src/contract/round-messages.ts';
import type { Actor } from '../../../src/domain/actor.ts';
import type { DecisionRequest } from '../../../src/domain/decision.ts';
import { pathText } from '../../../src/domain/path.ts';
import type { FindingRecord, RemovalRecord } from '../../../src/ledger/ledger.ts';
import { until } from '../until.ts';
import type { WorldHouse } from './world-house.ts';

/** Patience for what takes a fraction of a second on an idle machine. */
export const patienceMs = 30_000;

export const ada: Actor = { name: 'ada', verified: false, via: 'api' };

/** What people and schedules do with one catalog of a house. */
export function stepsIn(house: WorldHouse, name: CatalogName = house.name) {
  const catalog = pathText([name.metalake, name.catalog]);
  const { gateway, ledger, client } = house;
  const now = house.now;

  const startRound = (options: { readonly dry?: boolean } = {}): Promise<RoundRun> =>
    gateway.startRound(name, { dry: options.dry ?? false, actor: ada });
  const endOf = async (run: RoundRun): Promise<RoundResult> => {
    const result = await gateway.awaitRound(run, 2 * patienceMs);
    if (result === undefined) throw new Error(`the round of ${catalog} did not end in time`);
    return result;
  };
  const findings = (): Promise<readonly FindingRecord[]> =>
    ledger.findings.page({ catalog, state: 'open', limit: 1_000 }, now());
  const findingAt = async (path: string): Promise<FindingRecord> => {
    const found = (await findings()).find((finding) => pathText(finding.path) === path);
    if (found === undefined) throw new Error(`no finding is open at ${path}`);
    return found;
  };
  const removals = (): Promise<readonly RemovalRecord[]> => ledger.removals.page({ catalog, limit: 500 });

  return {
    catalog,
    startRound,
    endOf,
    round: async (options: { readonly dry?: boolean } = {}): Promise<RoundResult> => endOf(await startRound(options)),
    findings,
    findingAt,
    removals,
    /** Decides by update, as the API does, and hands back the one answer. */
    async decide(path: string, action: DecisionRequest['action'] = 'approve', requestKey = `${action} ${path}`) {
      const { id, digest } = await findingAt(path);
      const sent = await gateway.decide(name, {
        items: [{ findingId: id, digest, action }],
        actor: ada,
        requestKey,
        notAfter: now() + 60_000,
      });
      if (sent.status !== 'answered') throw new Error(`the decision on ${path} was sent and not answered`);
      const [answer] = sent.result.answers;
      if (answer === undefined) throw new Error(`the decision on ${path} has no answer`);
      return answer;
    },
    /** Waits for the newest removal on record at a path. */
    async outcomeAt(path: string, withinMs = patienceMs): Promise<RemovalRecord> {
      const find = async () => (await removals()).find((removal) => pathText(removal.path) === path);
      await until(`the removal of ${path} has an outcome`, withinMs, async () => (await find()) !== undefined);
      const found = await find();
      if (found === undefined) throw new Error(`the removal of ${path} vanished`);
      return found;
    },
    roundHandle: () => client.workflow.getHandle(roundWorkflowId(name)),
    reviewHandle: () => client.workflow.getHandle(reviewWorkflowId(name)),
  };
}

/** A door that stays shut until somebody opens it, and tells when somebody stands before it. */
export function gate(): {
  readonly pass: () => Promise<void>;
  readonly reached: Promise<void>;
  readonly open: () => void;
} {
  let open = (): void => undefined;
  let arrive = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const reached = new Promise<void>((resolve) => (arrive = resolve));
  return {
    pass: () => {
      arrive();
      return opened;
    },
    reached,
    open: () => open(),
  };
}
