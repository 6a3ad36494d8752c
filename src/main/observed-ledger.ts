import { pathText } from '../domain/path.ts';
import type { Ledger, RoundRecord } from '../ledger/ledger.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';

/**
 * The ledger, with each end of a round and of a removal counted and told in the log: here it is true, once, whoever
 * brought it about. What a step that is repeated finds done already is not counted again.
 */
export function observedLedger(ledger: Ledger, metrics: Metrics, logger: Logger): Ledger {
  const roundEnded = ({ id, catalog, trigger, state, startedAt, endedAt, reason, counts, hold }: RoundRecord): void => {
    const seconds = ((endedAt ?? startedAt) - startedAt) / 1_000;
    metrics.rounds.record({ catalog, end: state }, 1);
    metrics.roundDuration.record({ catalog, end: state }, seconds);
    const { verdicts, open, due } = counts ?? {};
    const told = { catalog, round: id, trigger, end: state, seconds, verdicts, open, due };
    if (reason === undefined) logger.info({ ...told, hold }, hold.length > 0 ? 'round held' : 'round ended');
    else logger.warn({ ...told, type: reason.type, code: reason.code, reason: reason.message }, 'round ended');
  };
  return {
    ...ledger,
    rounds: {
      ...ledger.rounds,
      async open(input) {
        const opened = await ledger.rounds.open(input);
        const { id: round, catalog, trigger, dry, requestedBy } = input;
        logger.debug({ catalog, round, trigger, dry, requestedBy: requestedBy.name }, 'round opened');
        return opened;
      },
      async publish(input) {
        const counts = await ledger.rounds.publish(input);
        const round = await ledger.rounds.round(input.id);
        if (round?.endedAt === input.now) roundEnded(round);
        return counts;
      },
      async end(input) {
        const round = await ledger.rounds.end(input);
        if (round.state === input.state && round.endedAt === input.now) roundEnded(round);
        return round;
      },
    },
    decisions: {
      ...ledger.decisions,
      async decide(input) {
        const answers = await ledger.decisions.decide(input);
        const { catalog, requestKey, actor } = input;
        const refused = answers.filter(({ answer }) => answer === 'refused').length;
        logger.debug(
          { catalog, requestKey, actor: actor.name, via: actor.via, decided: answers.length - refused, refused },
          'decided',
        );
        return answers;
      },
    },
    removals: {
      ...ledger.removals,
      async settle(input) {
        const removal = await ledger.removals.settle(input);
        if (removal === undefined) {
          logger.warn({ removal: input.intent, reason: input.reason }, 'outcome of a removal unknown');
        } else if (removal.at === input.now) {
          const { id, catalog, action, outcome, reason, path, kind, entities, actor } = removal;
          metrics.removals.record({ catalog, action, outcome }, 1);
          if (outcome === 'removed') metrics.removedRegistrations.record({ catalog }, entities);
          const told = {
            catalog,
            removal: id,
            action,
            outcome,
            path: pathText(path),
            kind,
            entities,
            actor: actor.name,
          };
          logger.info({ ...told, reason }, 'removal settled');
        }
        return removal;
      },
    },
  };
}
