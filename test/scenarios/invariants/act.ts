import { canonical } from '../../../src/domain/digest.ts';
import { isInside, pathText } from '../../../src/domain/path.ts';
import { catalogRows, savedBodies } from '../ledger-rows.ts';
import type { Removed, Repointed, Restored } from '../simulated-registry.ts';
import type { Witness } from '../witness.ts';
import { type IntentQuestion, isAdmitted, mustOf } from './intent.ts';

/** At the moment at which a registration goes: its object does not exist, and what it loses is saved. */
export async function whenRemoved(question: IntentQuestion, removed: Removed): Promise<void> {
  const { db, witness, catalog, simulation } = question;
  const { registration, intentId, world, exists, lateMs } = removed;
  const rows = await catalogRows(db, catalog);
  const intent = rows.intents.find(({ id }) => id === intentId);
  const finding = rows.findings.find(({ id }) => id === intent?.finding);
  const must = mustOf(witness, { registration, intent, exists, lateMs });
  must(intent?.state === 'open', 'a registration goes while its intent is open');
  must(lateMs === 0, 'nothing happens after the intent’s time is over');
  must(exists !== 'here', 'no registration is removed while its object exists');
  const overridden = finding !== undefined && isAdmitted(rows, finding, intent?.opened_at ?? 0);
  must(exists !== 'at-the-primary' || overridden, 'an empty stand-in empties no registry by itself');
  const { uid } = witness.memory(catalog, registration.id);
  const elsewhere =
    uid === undefined || !simulation.beginning.stableIdentity
      ? []
      : [...world.objects.values()].filter((object) => object.uid === uid);
  const approved = finding?.taken === true && intent?.decision !== null && intent?.entity === registration.id;
  const known = elsewhere.every(({ path }) => approved && pathText(path) === finding.moved_to);
  must(known, 'no registration is removed while its object lives on under another name');
  const saved = (await savedBodies(db, intentId)).get(registration.id);
  must(canonical(saved) === canonical(registration.attachments), 'what is attached was saved before it is lost');
}

/** At the moment at which a registration gets another name: its very object has that name. */
export async function whenRepointed(question: IntentQuestion, { world, request }: Repointed): Promise<void> {
  const { db, witness, catalog } = question;
  const { intents } = await catalogRows(db, catalog);
  const intent = intents.find(({ id }) => id === request.intentId);
  const object = world.objects.get(pathText(request.to));
  const { uid } = witness.memory(catalog, request.id);
  const must = mustOf(witness, { request, intent, object, remembered: uid });
  must(
    intent?.state === 'open' && intent.action === 'repoint',
    'a registration is re-pointed while its intent is open',
  );
  // nothing is remembered once a person accepted another source in the middle of it
  must(object !== undefined && (uid ?? object.uid) === object.uid, 'a registration is re-pointed to its very object');
  must(!world.objects.has(pathText(request.path)), 'what still has its name is not re-pointed');
  const twice = [...world.registrations.values()].filter(({ path }) => pathText(path) === pathText(request.to));
  must(twice.length === 1 && !isInside(request.to, request.path), 'nothing else is registered under the new name');
}

/** Whatever comes back has what was attached to it, secrets apart. */
export function whenRestored(witness: Witness, { request, attached }: Restored): void {
  for (const { id, attachments } of request.entities) {
    const { secrets: _never, ...had } = attached.get(id) ?? { secrets: [] };
    const { secrets: _saved, ...given } = attachments === 'unseen' ? { secrets: [] } : attachments;
    if (attached.has(id) && canonical(had) !== canonical(given))
      witness.broken('what comes back has what was attached to it', { id, had, given });
  }
}
