import { ReconcilerFailure } from '../../domain/failure.ts';
import type { Path } from '../../domain/path.ts';
import type { ListedObject } from '../source.ts';
import { locationText, type Place } from './location.ts';
import { logFolder, type Storage } from './storage.ts';

/** A folder for the schema and one for the table, as tables are laid out that have no catalog yet. */
const deepest = 2;

/**
 * Every folder with a log at the first or second level. A folder that is a table is not looked into. A root that became
 * another one meanwhile fails the listing: the rest of it would be missing.
 */
export async function* listTables(storage: Storage, root: Place, signal: AbortSignal): AsyncGenerator<ListedObject> {
  const before = await storage.look(signal);
  yield* tablesIn([]);
  const after = await storage.look(signal);
  if (after.fingerprint === before.fingerprint) return;
  const message = `${storage.address} became another one while it was listed. Look whether it was mounted anew.`;
  throw new ReconcilerFailure('SourceUnavailable', 'root-changed', message);

  async function* tablesIn(folders: readonly string[]): AsyncGenerator<ListedObject> {
    for await (const name of storage.foldersIn(folders, signal)) {
      if (name === logFolder || name === '') continue;
      const path: Path = [...folders, name] as unknown as Path;
      if (await storage.hasLog(path, signal)) {
        const location = locationText({ ...root, folders: [...root.folders, ...path] });
        yield { path, found: 'table', location };
      } else if (path.length < deepest) {
        yield* tablesIn(path);
      }
    }
  }
}
