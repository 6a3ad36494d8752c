import type { ProbeAnswer } from '../../domain/verdict.ts';
import type { SourceIdentity } from '../source.ts';

/** The folder of a Delta table that makes it one. */
export const logFolder = '_delta_log';

/**
 * Folders of tables under one root, on a disk or in a bucket. Whatever is not about one folder alone is thrown as a
 * `ReconcilerFailure`. Folders are given from the root on.
 */
export interface Storage {
  /** How messages call it. */
  readonly address: string;

  /** Who answers; throws where the root is missing, denied or empty, since then nothing in it could be believed. */
  look(signal: AbortSignal): Promise<SourceIdentity>;

  /** Whether a table lies there; absent only where nothing at all does, and the place could be looked at. */
  tableAt(folders: readonly string[], signal: AbortSignal): Promise<ProbeAnswer>;

  /** Whether the folder has a log with anything in it. */
  hasLog(folders: readonly string[], signal: AbortSignal): Promise<boolean>;

  /** The names of the folders directly in one, each once. */
  foldersIn(folders: readonly string[], signal: AbortSignal): AsyncIterable<string>;

  close(): void;
}
