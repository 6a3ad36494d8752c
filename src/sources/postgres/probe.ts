import { randomUUID } from 'node:crypto';
import type { ControlAnswers } from '../../domain/controls.ts';
import { ReconcilerFailure } from '../../domain/failure.ts';
import type { ProbeAnswer, ProbeTarget } from '../../domain/verdict.ts';
import type { ProbeBatch } from '../source.ts';
import { answerFrom, rawAnswer } from './answer.ts';
import { isUnrepresentable } from './classify-error.ts';
import { type Question, questionFor } from './name-gate.ts';
import type { Session } from './session.ts';
import { addressOf, type PostgresSettings } from './settings.ts';
import { lookUpNames, type Respondent } from './statement.ts';
import { uidText } from './uid.ts';

/** `pg_class` has had this oid in every PostgreSQL. */
const pgClass: Question = { schema: 'pg_catalog', relation: 'pg_class' };
const pgClassUid = uidText('relation', '1259');

/** A gated list: what may be sent, and where each answer belongs. */
interface Gated {
  readonly settled: (ProbeAnswer | undefined)[];
  readonly sendable: readonly Question[];
}

interface Part {
  readonly answers: readonly ProbeAnswer[];
  readonly controls: ControlAnswers;
  readonly respondent: Respondent;
}

/**
 * Asks about all targets on one connection, in one statement that holds the controls as well. Only where a database
 * cannot represent a name in its encoding, which fails a whole statement, are there several: each half is asked with
 * its own controls until the name stands alone.
 */
export async function probeNames(
  session: Session,
  settings: PostgresSettings,
  targets: readonly ProbeTarget[],
  known: readonly ProbeTarget[],
  signal: AbortSignal,
): Promise<ProbeBatch> {
  const gatedKnown = gate(known);
  const gatedTargets = gate(targets);
  const { answers, controls, respondent } = await askHalving(gatedTargets.sendable);
  return {
    answers: merge(gatedTargets, answers),
    controls: { ...controls, known: merge(gatedKnown, controls.known) },
    fingerprint: respondent.fingerprint,
    principal: respondent.principal,
    asked: { asked: 'pg_catalog lookup by name', strength: 'conclusive' },
  };

  async function askHalving(questions: readonly Question[]): Promise<Part> {
    try {
      return await askOnce(session, settings, questions, gatedKnown.sendable, signal);
    } catch (error) {
      // without targets the controls themselves cannot be asked
      if (!isUnrepresentable(error) || questions.length === 0) throw error;
      if (questions.length === 1) {
        return { ...(await askHalving([])), answers: [{ answer: 'unknown', code: 'name-not-representable' }] };
      }
      const middle = Math.ceil(questions.length / 2);
      const first = await askHalving(questions.slice(0, middle));
      return join(first, await askHalving(questions.slice(middle)), settings);
    }
  }
}

async function askOnce(
  session: Session,
  settings: PostgresSettings,
  targets: readonly Question[],
  known: readonly Question[],
  signal: AbortSignal,
): Promise<Part> {
  const impossible: Question = { schema: 'pg_catalog', relation: `no-such-${randomUUID()}` };
  const questions = [pgClass, impossible, ...known, ...targets];
  const { found, respondent } = await lookUpNames(session, settings, questions, signal);
  const raw = questions.map((question, index) => rawAnswer(question, at(found, index)));
  const controls = { builtin: at(raw, 0), impossible: at(raw, 1), known: raw.slice(2, 2 + known.length) };
  requireTrust(controls, settings);
  const start = 2 + known.length;
  const answers = targets.map((question, index) => answerFrom(question, at(found, start + index), respondent));
  return { answers, controls, respondent };
}

/** Refuses a respondent that does not see what must be there, or sees what cannot be. */
export function requireTrust({ builtin, impossible }: ControlAnswers, settings: PostgresSettings): void {
  if (builtin.answer !== 'present' || builtin.uid !== pgClassUid) {
    throw untrusted('control-builtin', 'does not see pg_catalog.pg_class as it is in every PostgreSQL', settings);
  }
  if (impossible.answer !== 'absent') {
    throw untrusted('control-impossible', 'claims to have a table of a random name', settings);
  }
}

function untrusted(code: string, why: string, settings: PostgresSettings): ReconcilerFailure {
  const message = `The server at ${addressOf(settings)} ${why}. None of its answers is believed.`;
  return new ReconcilerFailure('ProbeUntrusted', code, message);
}

/** Both halves must come from one place; of each known object the less reassuring answer stays. */
function join(first: Part, second: Part, settings: PostgresSettings): Part {
  if (first.respondent.fingerprint !== second.respondent.fingerprint) {
    const message = `Two servers answered at ${addressOf(settings)} within one probe. Look for a pooler over several.`;
    throw new ReconcilerFailure('SourceProtocolError', 'two-servers', message);
  }
  const known = first.controls.known.map((answer, index) =>
    answer.answer === 'present' ? at(second.controls.known, index) : answer,
  );
  return { ...first, controls: { ...first.controls, known }, answers: [...first.answers, ...second.answers] };
}

function gate(targets: readonly ProbeTarget[]): Gated {
  const sendable: Question[] = [];
  const settled = targets.map((target): ProbeAnswer | undefined => {
    const question = questionFor(target);
    if (typeof question === 'string') return { answer: 'unknown', code: question };
    sendable.push(question);
    return undefined;
  });
  return { settled, sendable };
}

function merge({ settled }: Gated, answers: readonly ProbeAnswer[]): ProbeAnswer[] {
  let next = 0;
  return settled.map((answer) => answer ?? at(answers, next++));
}

function at<T>(list: readonly T[], index: number): T {
  const item = list[index];
  if (item === undefined) throw new RangeError(`no answer ${index} of ${list.length}`);
  return item;
}
