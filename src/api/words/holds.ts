import type { HoldReason } from '../../domain/guard.ts';
import type { CatalogState } from '../../ledger/records.ts';
import type { Coded } from '../schemas/words.ts';

const holdTexts = {
  'controls-absent': 'every object known from earlier rounds is gone while the source itself is fine: look at it',
  'all-absent': 'everything that was asked for is absent, which is rarely true',
  'too-many-absent': 'a larger share is absent than the guard allows',
  'too-few-probed': 'too little got a clear answer to conclude anything',
  'snapshot-shrank': 'the registry lists far fewer registrations than before, without drops that explain it',
  'new-epoch': 'connection, principal, filters or rules changed; the next complete round decides',
  'policy-changed': 'the policy asks for less than in the round before; the next round goes by it',
  'source-changed': 'another source answers behind the same address; accept-source if that is right',
} as const satisfies Record<HoldReason, string>;

/** Why the removal loop stopped by itself, by the outcome that stopped it. */
const stopTexts: Readonly<Record<string, string>> = {
  'too-many-present': 'several objects were there again right before their removal, so our rounds see badly',
  'source-unreachable': 'the source could not be asked again before a removal',
  unknown: 'how a removal ended is not clear',
};

export function stopInWords({ reason, at }: { readonly reason: string; readonly at: number }) {
  return { code: reason, text: stopTexts[reason] ?? reason, at };
}

/** Why a round is held, with words for each reason. */
export function holdInWords(hold: readonly HoldReason[]): Coded[] {
  return hold.map((code) => ({ code, text: holdTexts[code] }));
}

const stateTexts = {
  'never-scanned': 'no round has ended yet',
  ok: 'the latest round was complete',
  unreachable: 'the source could not be asked; nothing is concluded about its objects',
  incomplete: 'the latest round did not see everything; nothing was judged',
  failed: 'the latest round failed; nothing was judged',
  'source-changed': 'another source answers behind the same address; nothing was judged',
} as const satisfies Record<CatalogState, string>;

export function stateInWords(state: CatalogState): string {
  return stateTexts[state];
}
