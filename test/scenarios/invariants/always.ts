import type { World } from '../../support/world/world.ts';
import type { CatalogRows } from '../ledger-rows.ts';
import { counters, type Witness } from '../witness.ts';

/** What holds at every moment, whatever happened. */
export function always(witness: Witness, catalog: string, world: World, rows: CatalogRows): void {
  findingsMoveByPublication(witness, rows);
  removalsAreRecorded(witness, world, rows);
  decisionsEndOnce(witness, catalog, rows);
  restoresAreKept(witness, rows);
  auditOnlyGrows(witness, catalog, rows);
}

function findingsMoveByPublication(witness: Witness, { findings, rounds }: CatalogRows): void {
  const published = new Set(rounds.filter(({ state, dry }) => state === 'published' && !dry).map(({ id }) => id));
  const open = new Set<string>();
  for (const finding of findings) {
    const before = witness.findings.get(finding.id);
    const must = (holds: boolean, rule: string): void => {
      if (!holds) witness.broken(rule, { finding, before });
    };
    must(published.has(finding.moved_by), 'only published rounds move findings');
    must(before !== undefined, 'only published rounds open findings');
    if (before !== undefined) {
      must(before.entity === finding.entity, 'a finding stays with its entity');
      must(before.state === 'open' || finding.state === 'closed', 'a closed finding stays closed');
      if (before.moved_by === finding.moved_by)
        must(counters(before.standing) === counters(finding.standing), 'counters move with a published round only');
    }
    if (finding.state === 'open') must(!open.has(finding.entity), 'one finding at most is open for an entity');
    if (finding.state === 'open') open.add(finding.entity);
    must(!finding.standing.due || finding.standing.ripe, 'what is due is ripe');
    witness.findings.set(finding.id, finding);
  }
}

function removalsAreRecorded(witness: Witness, world: World, { intents, removals, audit }: CatalogRows): void {
  const audited = new Set(audit.map(({ action, subject }) => `${action} ${subject}`));
  for (const intent of intents) {
    const record = removals.find(({ id }) => id === intent.id);
    const gone = world.removals.filter(({ intentId }) => intentId === intent.id);
    const moved = world.repoints.some(({ intentId }) => intentId === intent.id);
    const must = (holds: boolean, rule: string): void => {
      if (!holds) witness.broken(rule, { intent, record, gone, moved });
    };
    must(
      audited.has(`${intent.action === 'repoint' ? 'repoint' : 'intent'}-opened ${intent.id}`),
      'every intent is in the audit',
    );
    if (intent.state === 'open') {
      must(record === undefined, 'a removal is recorded when its intent is settled');
      continue;
    }
    must(record !== undefined && record.outcome === intent.outcome, 'every settled intent has its outcome on record');
    must(
      audited.has(`${intent.action === 'repoint' ? 'repoint' : 'removal'}-settled ${intent.id}`),
      'every outcome is in the audit',
    );
    must(record?.proven === true, 'every removal has its evidence on record');
    must(record?.actor.name === intent.actor.name, 'every removal has its actor on record');
    if (intent.action === 'repoint') {
      must(gone.length === 0, 'nothing goes by re-pointing');
      must(!moved || record?.outcome === 'repointed', 'what was re-pointed is on record');
      continue;
    }
    must(!moved, 'nothing is re-pointed by a removal');
    must((record?.entities ?? 0) === gone.length, 'as many went as the record says');
    must((record?.outcome === 'removed') === gone.length > 0, 'removed is what went by this very intent');
  }
  const known = new Set(intents.map(({ id }) => id));
  if (world.removals.some(({ intentId }) => !known.has(intentId)))
    witness.broken('every removal has an intent', world.removals);
  if (intents.filter(({ state }) => state === 'open').length > 1) witness.broken('one intent at most is open', intents);
}

function decisionsEndOnce(witness: Witness, catalog: string, { decisions, findings }: CatalogRows): void {
  const open = new Map(findings.filter(({ state }) => state === 'open').map((finding) => [finding.id, finding]));
  for (const decision of decisions) {
    const key = `${catalog} ${decision.id}`;
    const before = witness.decisions.get(key);
    const now = `${decision.state} ${decision.state_why ?? ''}`;
    const must = (holds: boolean, rule: string): void => {
      if (!holds) witness.broken(rule, { decision, before });
    };
    must(
      before === undefined || before.startsWith('active') || before === now,
      'a decision that ended stays as it ended',
    );
    must(decision.state === 'active' || decision.state_why !== null, 'a decision ends with a reason');
    if (decision.state === 'active' && decision.action !== 'keep') {
      const finding = open.get(decision.finding);
      must(finding !== undefined, 'no approval or rejection outlives its finding');
      must(finding === undefined || finding.digest === decision.digest, 'changed evidence voids a decision');
    }
    witness.decisions.set(key, now);
  }
}

/** What a person brought back is kept, so that the next rounds do not take it out again. */
function restoresAreKept(witness: Witness, { restores, decisions, audit }: CatalogRows): void {
  for (const restore of restores) {
    const keeps = decisions.filter(
      ({ action, request_key: key }) => action === 'keep' && key.startsWith(`${restore.id}/`),
    );
    const audited = audit.some(({ action, subject }) => action === 'restore-settled' && subject === restore.id);
    if (keeps.length === 0) witness.broken('a restore keeps what it brings back', { restore });
    if (restore.state === 'settled' && !audited) witness.broken('every restore is in the audit', { restore });
  }
}

function auditOnlyGrows(witness: Witness, catalog: string, { audit }: CatalogRows): void {
  const lines = audit.map(({ line }) => line);
  const before = witness.audit.get(catalog) ?? [];
  if (before.some((line, index) => lines[index] !== line))
    witness.broken('the audit only grows', { before, after: lines });
  witness.audit.set(catalog, lines);
}
