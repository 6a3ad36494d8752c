import { probeBatch } from '../activities/probe-batch.ts';
import type { CatalogName } from '../contract/names.ts';
import { knownControls } from '../domain/controls.ts';
import { pathText } from '../domain/path.ts';
import type { Registration } from '../domain/registration.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { SourceDirectory } from './source-directory.ts';

/** Connecting and one statement; a source that takes longer answers `unknown`, and the registration stays. */
const timeoutMs = 10_000;

/**
 * The last question of the embedded registry's own removal path, asked by the registry right before its transaction,
 * whoever asked for the removal.
 */
export async function stillExists(
  deps: { readonly ledger: Ledger; readonly sources: SourceDirectory },
  name: CatalogName,
  registration: Registration,
): Promise<'absent' | 'present' | 'unknown'> {
  const key = pathText([name.metalake, name.catalog]);
  const { source } = await deps.sources.sourceOf(name);
  const known = await deps.ledger.rounds.knownObjects(key, knownControls);
  const accepted = await deps.ledger.catalogs.catalog(key);
  const signal = AbortSignal.timeout(timeoutMs);
  const { fingerprint, principal } = await source.check(known, signal);
  if (accepted?.fingerprint !== undefined && accepted.fingerprint !== fingerprint) return 'unknown';
  const targets = [registration];
  const [probed] = await probeBatch(source, { name, targets, known, fingerprint, principal }, signal);
  switch (probed?.answer.answer) {
    case 'present':
      return 'present';
    case 'absent':
      return 'absent';
    case 'parent-absent':
      return source.traits.parentImpliesChild ? 'absent' : 'unknown';
    case 'unknown':
    case undefined:
      return 'unknown';
  }
}
