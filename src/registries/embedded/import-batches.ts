import type { ImportCounts, ImportedEntity } from './chain/dispatcher.ts';

/** Registrations a transaction: the catalog's lock is held for well under a second. */
const importBatch = 5_000;

/** Hands items on in batches, one after the other, and adds the counts up. */
export async function importBatches(
  items: Iterable<ImportedEntity> | AsyncIterable<ImportedEntity>,
  signal: AbortSignal,
  importBatchOf: (batch: readonly ImportedEntity[]) => Promise<ImportCounts>,
): Promise<ImportCounts> {
  let counts: ImportCounts = { added: 0, existing: 0, refused: 0 };
  let batch: ImportedEntity[] = [];
  const flush = async () => {
    signal.throwIfAborted();
    const done = await importBatchOf(batch);
    batch = [];
    counts = {
      added: counts.added + done.added,
      existing: counts.existing + done.existing,
      refused: counts.refused + done.refused,
    };
  };
  for await (const item of items) {
    if (batch.push(item) === importBatch) await flush();
  }
  if (batch.length > 0) await flush();
  return counts;
}
