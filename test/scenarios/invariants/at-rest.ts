import type { CatalogRows, FindingRow } from '../ledger-rows.ts';
import type { Witness } from '../witness.ts';
import { keptEntities } from './expected-hold.ts';
import { limitsLet } from './limits.ts';

/** When nothing happens any more: every approval was carried out, ended, or waits for something that can be named. */
export function atRest(witness: Witness, rows: CatalogRows, now: number, exclusive: boolean): void {
  if (rows.intents.some(({ state }) => state === 'open')) witness.broken('no intent stays open for ever', rows.intents);
  const { catalog } = rows;
  if (catalog === null) return;
  const kept = keptEntities(rows.decisions, now);
  const policy = rows.policies.at(-1);
  const probing = exclusive && rows.rounds.some(({ state }) => state === 'running');
  const round = rows.rounds.find(({ id }) => id === catalog.published_round);
  for (const decision of rows.decisions) {
    if (decision.state !== 'active' || decision.action !== 'approve' || (decision.expires_at ?? 0) <= now) continue;
    const finding = rows.findings.find(({ id }) => id === decision.finding);
    const reasons = [
      ...catalog.hold,
      ...(probing ? ['round-running'] : []),
      ...(catalog.state === 'ok' && catalog.pause === null && catalog.stop === null ? [] : ['catalog']),
      ...(finding?.standing.ripe === true ? [] : (finding?.standing.waits ?? [])),
      ...(isWithheld(finding) ? ['container'] : []),
      ...(finding !== undefined && finding.moved_by !== catalog.published_round ? ['judged-by-older-round'] : []),
      ...(finding !== undefined && (kept.has(finding.entity) || holdsBackInside(rows, finding.path, now))
        ? ['kept']
        : []),
      ...(finding === undefined || limitsLet(rows, finding, now) ? [] : ['limit']),
      ...(round?.policy_version === policy?.version ? [] : ['policy']),
    ];
    if (reasons.length === 0)
      witness.broken('every approval is carried out, ends, or waits for a reason', { decision, finding });
  }
}

/** It waits for its container, or for what blocks it. */
function isWithheld(finding: FindingRow | undefined): boolean {
  return finding !== undefined && (finding.carrier !== null || finding.blocker !== null);
}

/** A person keeps or rejected something inside. */
function holdsBackInside({ decisions, findings }: CatalogRows, path: string, now: number): boolean {
  const kept = keptEntities(decisions, now);
  return findings.some(
    (child) =>
      child.state === 'open' &&
      child.path.startsWith(`${path}/`) &&
      (kept.has(child.entity) ||
        decisions.some((one) => one.state === 'active' && one.action === 'reject' && one.finding === child.id)),
  );
}
