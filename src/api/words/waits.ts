import type { InsideBlock } from '../../domain/containers.ts';
import type { Wait } from '../../domain/finding.ts';
import { impossible } from '../../domain/impossible.ts';
import { pathText } from '../../domain/path.ts';
import type { Policy } from '../../domain/policy.ts';
import type { FindingRecord } from '../../ledger/ledger.ts';
import type { Coded } from '../schemas/words.ts';
import { lengthInWords, momentInWords } from './durations.ts';

/** What a person's approval stands in for: time and permission, never evidence. */
const waivedByApproval: ReadonlySet<Wait> = new Set([
  'grace',
  'announced',
  'report-only',
  'needs-approval',
  'returned',
]);

type WaitingFinding = Pick<
  FindingRecord,
  'standing' | 'registeredAt' | 'carrier' | 'blocker' | 'movedTo' | 'taken' | 'decision'
>;

/** What a finding waits for, in the order in which a reader should look. */
export function waitsInWords(
  finding: WaitingFinding,
  policy: Policy,
  now: number,
): (Coded & { readonly waived: boolean })[] {
  const { decision } = finding;
  const approved = decision?.action === 'approve' && decision.state === 'active';
  const repointed = decision?.action === 'repoint' && decision.state === 'active';
  return finding.standing.waits.map((code) => ({
    code,
    text: waitText(code, finding, policy, now),
    waived:
      (approved && (waivedByApproval.has(code) || (code === 'verdict' && isChoice(finding)))) ||
      (repointed && code === 'verdict'),
  }));
}

/** Renamed onto a name that is registered already: what to do with the old one is a person's choice. */
function isChoice({ standing, taken }: WaitingFinding): boolean {
  return standing.verdict === 'renamed' && taken;
}

function waitText(wait: Wait, finding: WaitingFinding, policy: Policy, now: number): string {
  const { standing } = finding;
  switch (wait) {
    case 'verdict':
      return verdictText(finding);
    case 'unknown-now':
      return 'the latest round got no clear answer about it';
    case 'not-judged':
      return 'excluded, protected or out of scope at present';
    case 'misses':
      return `absent in ${standing.misses} of ${policy.misses} complete rounds`;
    case 'minimum-age':
      return `registered ${lengthInWords(now - finding.registeredAt)} ago; it must be ${lengthInWords(policy.minimumAgeMs)} old`;
    case 'after-incomplete-round':
      return 'the round before the latest was not complete; the next one decides';
    case 'no-controls':
      return 'no object of this source is known to be present yet, so nothing proves that we can see';
    case 'grace':
      return `watched for ${lengthInWords(standing.graceMs)} of ${lengthInWords(policy.graceMs)}`;
    case 'announced':
      return standing.dueAt === undefined ? 'its time is not announced yet' : `due at ${momentInWords(standing.dueAt)}`;
    case 'report-only':
      return 'the policy only reports; it takes an approval';
    case 'needs-approval':
      return 'it has an owner, tags, policies or grants, so a person must approve';
    case 'returned':
      return 'it was removed before and came back, so a person must approve';
    case 'container':
      return finding.carrier === undefined
        ? 'it goes with its container'
        : `it goes with its container ${pathText(finding.carrier)}`;
    case 'blocked-inside':
      return finding.blocker === undefined
        ? 'something inside keeps it registered'
        : `${pathText(finding.blocker.path)} inside keeps it registered: ${blockText(finding.blocker.why)}`;
    default:
      return impossible(wait);
  }
}

function verdictText({ standing, movedTo, taken }: WaitingFinding): string {
  switch (standing.verdict) {
    case 'absent':
      return 'absent';
    case 'renamed':
      return taken
        ? `renamed to ${movedTo === undefined ? 'another name' : pathText(movedTo)}, which is registered already; only a person may approve`
        : `renamed to ${movedTo === undefined ? 'another name' : pathText(movedTo)}: re-point it, do not remove it`;
    case 'replaced':
      return 'another object has its name now: accept it, or change the registration';
    case 'copied':
      return 'several objects carry its identity: sort that out at the source';
    default:
      return impossible(standing.verdict);
  }
}

const blockTexts = {
  'not-absent': 'it was not found absent',
  managed: 'the catalog owns its storage',
  protected: 'the policy protects it',
  excluded: 'the policy excludes it',
  'out-of-scope': 'the policy does not look at it',
  kept: 'a person keeps it',
  rejected: 'a person rejected its removal',
  'too-young': 'it was registered too recently',
} as const satisfies Record<InsideBlock, string>;

export function blockText(why: InsideBlock): string {
  return blockTexts[why];
}
