import type { ProbeAnswer } from '../../domain/verdict.ts';
import type { Question } from './name-gate.ts';
import { type Found, objectKind, type Respondent } from './statement.ts';
import { uidText } from './uid.ts';

/** What a row says about a name, whoever answered: for controls, whose truth is known. */
export function rawAnswer({ relation }: Question, { schemaOid, relationOid, relkind }: Found): ProbeAnswer {
  if (schemaOid === null) {
    return relation === null
      ? { answer: 'absent', code: 'no-such-schema' }
      : { answer: 'parent-absent', code: 'no-such-schema' };
  }
  if (relation === null) return { answer: 'present', code: 'row', found: 'schema', uid: uidText('schema', schemaOid) };
  if (relationOid === null) return { answer: 'absent', code: 'no-such-relation' };
  return { answer: 'present', code: 'row', found: objectKind(relkind), uid: uidText('relation', relationOid) };
}

/** The answer about a target: an absence counts only from a respondent that must know. */
export function answerFrom(question: Question, found: Found, { standby, encoding }: Respondent): ProbeAnswer {
  const answer = rawAnswer(question, found);
  if (answer.answer === 'present') return answer;
  if (standby) return { answer: 'unknown', code: 'standby' };
  // SQL_ASCII keeps whatever bytes a client sent: the same letters may stand there in another encoding.
  if (encoding === 'SQL_ASCII' && !isAscii(question)) return { answer: 'unknown', code: 'encoding-unknown' };
  return answer;
}

function isAscii({ schema, relation }: Question): boolean {
  return /^\p{ASCII}*$/u.test(schema + (relation ?? ''));
}
