import type { Access, VendedCredential } from '../../../delta/table.ts';

/** What the stores behind the locations give, without a word of tables. */
export interface StorageAccess {
  /** A credential for the location and what is below it, and for nothing else where the store can say so. */
  vend(location: string, access: Access): Promise<VendedCredential>;
  /** The bytes of a file below the location. Throws where it cannot be read. */
  read(location: string, relativePath: string): AsyncIterable<Uint8Array>;
}
