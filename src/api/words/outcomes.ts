import type { RemovalOutcome } from '../../domain/removal.ts';

const outcomeTexts = {
  removed: 'taken out of the registry',
  repointed: 'given the name under which its object lives now',
  'already-gone': 'somebody else had taken it out',
  present: 'the object is there again; nothing was done',
  changed: 'what was judged has changed since; nothing was done',
  replaced: 'another object has its name now; nothing was done',
  renamed: 'the object lives under another name; nothing was done',
  refused: 'the registry refused; nothing was done',
  'not-permitted': 'something forbade it at the last moment; nothing was done',
  'source-unreachable': 'the source could not be asked again; nothing was done',
  abandoned: 'nothing was sent in time; it may be tried again',
  unknown: 'not clear yet; it is being looked at',
} as const satisfies Record<RemovalOutcome, string>;

export function outcomeInWords(outcome: RemovalOutcome): string {
  return outcomeTexts[outcome];
}
