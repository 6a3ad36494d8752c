import type { Standing } from '../../src/domain/finding.ts';
import type { HoldReason } from '../../src/domain/guard.ts';
import type { ProbeAnswer } from '../../src/domain/verdict.ts';
import type { FindingRow } from './ledger-rows.ts';
import type { SourceLog } from './simulated-source.ts';

/** A rule that did not hold, with what shows it. */
export interface Violation {
  readonly rule: string;
  readonly detail: unknown;
}

/** What one round was told by the source. */
export interface RoundLog {
  /** The order of the questions, with who answered each. */
  readonly asked: { readonly what: 'check' | 'probe'; readonly by: string }[];
  /** The last answer about each path. */
  readonly answers: Map<string, ProbeAnswer & { readonly conclusive: boolean }>;
  /** Identities that the source knew to be somewhere. */
  readonly located: Set<string>;
  /** Whether a check found every object that earlier rounds had seen gone. */
  controlsAbsent: boolean;
  /** How many registrations the registry counted, each time it was asked. */
  readonly counted: number[];
  /** The time that its judgement goes by. */
  judgedAt: number;
  /** What an independent reckoning says the round must be held for. */
  hold: readonly HoldReason[];
}

/** What is remembered of an entity from published rounds, apart from the ledger. */
interface Memory {
  uid?: string;
  /** Published rounds that heard a conclusive absence since something else was last heard. */
  absences: number;
  /** How long those rounds can have watched at most. */
  watchedMs: number;
  lastAbsentAt: number;
}

/** The memory that invariants go by: what the source said and what was published, gathered independently of the ledger. */
export class Witness {
  readonly violations: Violation[] = [];
  /** Findings as they last were, by id. */
  readonly findings = new Map<string, FindingRow>();
  /** What was in the registry's own books when the last round was published, by catalog. */
  readonly published = new Map<
    string,
    { registrations: number; at: number; epoch: string | null; fingerprint: string | null }
  >();
  /** Decisions and audit lines as they last were, by catalog. */
  readonly decisions = new Map<string, string>();
  readonly audit = new Map<string, readonly string[]>();
  readonly #rounds = new Map<string, RoundLog>();
  readonly #memory = new Map<string, Memory>();

  broken(rule: string, detail: unknown): void {
    this.violations.push({ rule, detail });
  }

  round(id: string): RoundLog {
    let log = this.#rounds.get(id);
    if (log === undefined) {
      log = {
        asked: [],
        answers: new Map(),
        located: new Set(),
        counted: [],
        controlsAbsent: false,
        judgedAt: 0,
        hold: [],
      };
      this.#rounds.set(id, log);
    }
    return log;
  }

  /** Writes down what the source says to a round; nobody listens to what the last look is told. */
  listener(asking: () => string | undefined): SourceLog {
    const heard = (note: (log: RoundLog) => void): void => {
      const round = asking();
      if (round !== undefined) note(this.round(round));
    };
    return {
      checked: ({ fingerprint, principal, known }) =>
        heard((log) => {
          log.asked.push({ what: 'check', by: `${fingerprint} ${principal}` });
          const gone = known.every(({ answer }) => answer === 'absent' || answer === 'parent-absent');
          if (known.length > 0 && gone) log.controlsAbsent = true;
        }),
      probed: ({ fingerprint, principal, answers, conclusive }) =>
        heard((log) => {
          log.asked.push({ what: 'probe', by: `${fingerprint} ${principal}` });
          for (const [path, answer] of answers) log.answers.set(path, { ...answer, conclusive });
        }),
      located: (uids) =>
        heard((log) => {
          for (const uid of uids) log.located.add(uid);
        }),
    };
  }

  memory(catalog: string, entity: string): Memory {
    const key = `${catalog} ${entity}`;
    let memory = this.#memory.get(key);
    if (memory === undefined) {
      memory = { absences: 0, watchedMs: 0, lastAbsentAt: 0 };
      this.#memory.set(key, memory);
    }
    return memory;
  }

  /** A person accepted another object as the one that is meant. */
  forget(catalog: string, entity: string): void {
    this.#memory.delete(`${catalog} ${entity}`);
  }

  /** Another system is the source now: what was known of objects is of the old one. */
  forgetIdentities(catalog: string): void {
    for (const [key, memory] of this.#memory) if (key.startsWith(`${catalog} `)) delete memory.uid;
  }
}

/** The counters of a finding, which only published rounds move. */
export function counters({ misses, graceMs, epoch, absentSeq, absentAt, firstMissedAt, dueAt }: Standing): string {
  return JSON.stringify([misses, graceMs, epoch, absentSeq, absentAt, firstMissedAt, dueAt ?? null]);
}
