import type { CatalogName } from '../contract/names.ts';
import { readControls } from '../domain/controls.ts';
import { ReconcilerFailure } from '../domain/failure.ts';
import { pathText } from '../domain/path.ts';
import type { Evidence, ProbeAnswer, ProbeTarget } from '../domain/verdict.ts';
import type { ProbeBatch, Source } from '../sources/source.ts';

export interface ProbedAnswer {
  readonly answer: ProbeAnswer;
  readonly evidence: Evidence;
}

/**
 * Asks one batch and believes it only if it is whole, comes from the system that was checked, and its controls hold.
 * An absence that is less than conclusive, such as one seen through a privilege filter, is unknown.
 * Rounds and the last look before a removal both ask through here.
 */
export async function probeBatch(
  source: Source,
  ask: {
    readonly name: CatalogName;
    readonly targets: readonly ProbeTarget[];
    readonly known: readonly ProbeTarget[];
    readonly fingerprint: string;
    readonly principal: string;
  },
  signal: AbortSignal,
): Promise<readonly ProbedAnswer[]> {
  const batch = await source.probe(ask.targets, ask.known, signal);
  const where = pathText([ask.name.metalake, ask.name.catalog]);
  if (batch.answers.length !== ask.targets.length) {
    throw new ReconcilerFailure(
      'IncompleteBatch',
      'count',
      `The source of ${where} was asked about ${ask.targets.length} objects and answered about ${batch.answers.length}.`,
    );
  }
  if (batch.fingerprint !== ask.fingerprint || batch.principal !== ask.principal) {
    throw new ReconcilerFailure(
      'ProbeUntrusted',
      'changed-while-probing',
      `Another system or principal answers behind the address of ${where} than a moment ago.`,
    );
  }
  if (readControls(batch.controls) === 'untrusted') {
    throw new ReconcilerFailure(
      'ProbeUntrusted',
      'controls',
      `The source of ${where} answered a control question wrongly, so the answers beside it are not believed.`,
    );
  }
  const evidenceOf = evidencePerCode(source, batch);
  const conclusive = batch.asked.strength === 'conclusive';
  return batch.answers.map((answer) => ({
    answer: conclusive || answer.answer === 'present' ? answer : { answer: 'unknown', code: answer.code },
    evidence: evidenceOf(answer.code),
  }));
}

/** One object per code, so that a hundred thousand equal answers are digested once. */
function evidencePerCode(source: Source, batch: ProbeBatch): (code: string) => Evidence {
  const { asked, strength } = batch.asked;
  const { fingerprint, principal } = batch;
  const made = new Map<string, Evidence>();
  return (code) => {
    let evidence = made.get(code);
    if (evidence === undefined) {
      evidence = { source: source.traits.source, asked, strength, code, fingerprint, principal };
      made.set(code, evidence);
    }
    return evidence;
  };
}
