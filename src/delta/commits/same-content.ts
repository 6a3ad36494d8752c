import type { DeltaBackend, TableUnitOfWork } from '../backend.ts';
import { DeltaError } from '../delta-error.ts';

/** Published files are named by their version in this many digits. */
const digits = 20;

/**
 * Whether a commit whose row is gone is the one that owns its version: by the name of its file where the store kept that,
 * else by comparing what it staged with what was published. Never a false no: that would make a client write again what
 * it has written.
 */
export async function isSameContent<Cx>(
  backend: DeltaBackend<Cx>,
  unit: TableUnitOfWork,
  { version, fileName }: { readonly version: bigint; readonly fileName: string },
  cx: Cx,
): Promise<boolean> {
  const owner = await unit.log.fileNameOf(version);
  if (owner === fileName) return true;
  if (backend.readCommitFile === undefined) {
    if (owner !== undefined) return false;
    throw unknown(version, 'the file that owns it is not known any longer');
  }
  const { location } = unit.table;
  try {
    const [staged, published] = await Promise.all([
      bytes(backend.readCommitFile(location, `_delta_log/_staged_commits/${fileName}`, cx)),
      bytes(backend.readCommitFile(location, `_delta_log/${String(version).padStart(digits, '0')}.json`, cx)),
    ]);
    return staged.equals(published);
  } catch (error) {
    throw unknown(version, 'its files cannot be compared', error);
  }
}

async function bytes(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const read: Uint8Array[] = [];
  for await (const chunk of chunks) read.push(chunk);
  return Buffer.concat(read);
}

function unknown(version: bigint, why: string, cause?: unknown): DeltaError {
  return new DeltaError('CommitStateUnknown', `Whether version ${version} is this commit cannot be told: ${why}.`, {
    cause,
  });
}
