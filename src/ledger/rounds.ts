import { endRound } from './rounds/end.ts';
import { absentRows } from './rounds/absent.ts';
import { type LedgerDatabase, walking } from './database.ts';
import type { ReadPattern, RoundLedger } from './ledger.ts';
import { countRound } from './rounds/counts.ts';
import { absentContainers, firstBlocker, inside } from './rounds/inside.ts';
import { recordJudgements, toJudge, unregistered } from './rounds/judging.ts';
import { knownObjects } from './rounds/known-objects.ts';
import { openRound } from './rounds/open.ts';
import { publishRound } from './rounds/publish.ts';
import { knownRound, roundRecord, roundRow, roundsOf } from './rounds/round-record.ts';
import { registeredAt, unsettledRows, verdictsAt } from './rounds/settling.ts';
import { appendSnapshot, resetSnapshot, snapshotCounts } from './rounds/snapshot.ts';
import { tallyRound } from './rounds/tally.ts';
import { tidyCatalog } from './rounds/tidy.ts';
import { recordVerdicts, targets } from './rounds/verdicts.ts';

export function createRoundLedger(db: LedgerDatabase, readPattern: ReadPattern): RoundLedger {
  const catalogOf = async (round: string) => (await knownRound(db, round)).catalog;
  return {
    open: (input) => openRound(db, input),
    async round(id) {
      const row = await roundRow(db, id);
      return row === undefined ? undefined : roundRecord(row);
    },
    rounds: (catalog, page) => roundsOf(db, catalog, page),
    knownObjects: (catalog, limit) => knownObjects(db, catalog, limit),
    resetSnapshot: (round) => resetSnapshot(db, round),
    appendSnapshot: (round, rows) => appendSnapshot(db, round, rows),
    snapshotCounts: (round) => snapshotCounts(db, round),
    targets: (round, catalog, range, limit) => targets(db, round, catalog, range, limit),
    recordVerdicts: (round, rows) => recordVerdicts(db, round, rows),
    waitingForParent: (round, catalog, after, limit) =>
      walking(db, (tx) => unsettledRows(tx, 'waiting', { round, catalog, after, limit })),
    absentWithIdentity: (round, catalog, after, limit) =>
      walking(db, (tx) => unsettledRows(tx, 'moved', { round, catalog, after, limit })),
    verdictsAt: (round, paths) => verdictsAt(db, round, paths),
    registeredAt: (round, paths) => registeredAt(db, round, paths),
    async counts(round) {
      // of a round that has ended, as it ended: its rows may be gone, and findings have moved since
      const { catalog, counts } = await knownRound(db, round);
      return counts ?? countRound(db, round, catalog);
    },
    absent: (round, query) => walking(db, (tx) => absentRows(tx, round, query)),
    tally: async (round, now) => tallyRound(db, round, await catalogOf(round), now),
    absentContainers: (round) => walking(db, (tx) => absentContainers(tx, round)),
    toJudge: (round, page) => walking(db, (tx) => toJudge(tx, round, page)),
    unregistered: async (round) => {
      const catalog = await catalogOf(round);
      return walking(db, (tx) => unregistered(tx, round, catalog));
    },
    inside: (round, container, page) => walking(db, (tx) => inside(tx, round, container, page)),
    firstBlocker: async (round, container, rule) => {
      const catalog = await catalogOf(round);
      return walking(db, (tx) => firstBlocker(tx, { round, catalog, container }, rule));
    },
    recordJudgements: (round, judgements) => recordJudgements(db, round, judgements),
    publish: (input) => publishRound(db, input, readPattern),
    end: (input) => endRound(db, input),
    tidy: (catalog, limit) => tidyCatalog(db, catalog, limit),
  };
}
