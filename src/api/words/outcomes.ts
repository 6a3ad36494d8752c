import type { RemovalOutcome } from '../../domain/removal.ts';

const outcomeTexts = {
  removed: 'taken out of the registry',
  'already-gone': 'somebody else had taken it out',
  present: 'the object is there again; nothing was removed',
  changed: 'the registration changed since it was judged; nothing was removed',
  replaced: 'another object has its name now; nothing was removed',
  renamed: 'the object lives under another name; nothing was removed',
  refused: 'the registry refused; nothing was removed',
  'not-permitted': 'something forbade it at the last moment; nothing was removed',
  'source-unreachable': 'the source could not be asked again; nothing was removed',
  abandoned: 'nothing was sent in time; it may be tried again',
  unknown: 'not clear yet; it is being looked at',
} as const satisfies Record<RemovalOutcome, string>;

export function outcomeInWords(outcome: RemovalOutcome): string {
  return outcomeTexts[outcome];
}
