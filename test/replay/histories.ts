import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export const historiesFolder = join(import.meta.dirname, 'histories');

/** A recorded history and the id it ran under. */
export interface StoredHistory {
  readonly name: string;
  readonly workflowId: string;
  readonly history: { readonly events: readonly Record<string, unknown>[] };
}

export async function storedHistories(): Promise<readonly StoredHistory[]> {
  const files = (await readdir(historiesFolder)).filter((file) => file.endsWith('.json')).sort();
  return Promise.all(
    files.map(async (file) => ({
      name: file.replace(/\.json$/, ''),
      ...(JSON.parse(await readFile(join(historiesFolder, file), 'utf8')) as Omit<StoredHistory, 'name'>),
    })),
  );
}
