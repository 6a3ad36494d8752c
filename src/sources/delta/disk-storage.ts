import { type Dir, constants } from 'node:fs';
import { access, lstat, opendir, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { type FailureType, ReconcilerFailure } from '../../domain/failure.ts';
import type { ProbeAnswer } from '../../domain/verdict.ts';
import { cutOff } from '../cut-off.ts';
import type { SourceIdentity } from '../source.ts';
import type { Place } from './location.ts';
import { logFolder, type Storage } from './storage.ts';

/** Codes that speak of one path alone. */
const ofOnePath = new Set(['ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EACCES', 'EPERM', 'ERR_INVALID_ARG_VALUE']);

/** A folder of this machine, or a file system that is mounted there. */
export class DiskStorage implements Storage {
  readonly address: string;
  readonly #callMs: number;

  /** @param callMs how long one call may take; a mount whose server is away lets it hang for ever */
  constructor(root: Place, callMs: number) {
    this.address = `/${root.folders.join('/')}`;
    this.#callMs = callMs;
  }

  /**
   * A mount point that is unmounted is a folder like any other, as a rule an empty one, with another number; and its
   * device is that of its parent. Device numbers themselves are not compared: many change at each start of the machine.
   */
  async look(signal: AbortSignal): Promise<SourceIdentity> {
    const root = this.address;
    const [self, parent] = await Promise.all([
      this.#call(stat(root, { bigint: true }), signal, root),
      this.#call(stat(join(root, '..'), { bigint: true }), signal, root),
    ]);
    if (!self.isDirectory()) {
      throw failure('SourceProtocolError', 'root-no-folder', `${root} is no folder. Correct the catalog’s root.`);
    }
    await this.#call(access(root, constants.R_OK | constants.X_OK), signal, root);
    if (!(await this.#hasEntry(root, signal))) {
      const mend = 'Look whether it is mounted; an empty root says nothing about tables.';
      throw failure('SourceUnavailable', 'root-empty', `${root} is empty. ${mend}`);
    }
    const mounted = self.dev === parent.dev ? 'folder' : 'mount';
    const uid = process.getuid?.();
    return {
      fingerprint: `${mounted} ${root} ${self.ino}/${self.birthtimeNs}`,
      principal: uid === undefined ? userInfo().username : `uid ${uid}`,
    };
  }

  async tableAt(folders: readonly string[], signal: AbortSignal): Promise<ProbeAnswer> {
    const folder = this.#path(folders);
    try {
      if (await this.#hasEntry(join(folder, logFolder), signal)) {
        return { answer: 'present', code: 'log', found: 'table' };
      }
      return { answer: 'unknown', code: 'log-empty' };
    } catch (error) {
      const code = codeOf(error);
      if (ofOnePath.has(code)) return { answer: 'unknown', code };
      if (code !== 'ENOENT') throw error;
    }
    return this.#withoutLog(folders, signal);
  }

  async hasLog(folders: readonly string[], signal: AbortSignal): Promise<boolean> {
    try {
      return await this.#hasEntry(join(this.#path(folders), logFolder), signal);
    } catch (error) {
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return false;
      throw error;
    }
  }

  async *foldersIn(folders: readonly string[], signal: AbortSignal): AsyncGenerator<string> {
    const path = this.#path(folders);
    const dir = await this.#call(opendir(path), signal, path);
    try {
      for (;;) {
        const entry = await this.#call(dir.read(), signal, path);
        if (entry === null) return;
        if (entry.isDirectory()) yield entry.name;
      }
    } finally {
      await closed(dir);
    }
  }

  close(): void {} // no call leaves anything open

  /**
   * A missing folder is the same answer as one behind a link that leads nowhere, or below a mount that is gone. It is
   * believed where the closest folder that is there is a real one, can be read, and has something else in it.
   */
  async #withoutLog(folders: readonly string[], signal: AbortSignal): Promise<ProbeAnswer> {
    try {
      let closest = folders.length;
      for (; closest > 0; closest -= 1) {
        const path = this.#path(folders.slice(0, closest));
        const found = await this.#call(lstat(path), signal, path).catch((error: unknown) => {
          if (codeOf(error) !== 'ENOENT') throw error;
        });
        if (found !== undefined) break;
      }
      for (let level = 1; level <= closest; level += 1) {
        const path = this.#path(folders.slice(0, level));
        if (!(await this.#call(lstat(path), signal, path)).isDirectory()) return { answer: 'unknown', code: 'link' };
      }
      const hasEntry = await this.#hasEntry(this.#path(folders.slice(0, closest)), signal);
      if (closest === folders.length)
        return { answer: 'unknown', code: hasEntry ? 'data-without-log' : 'folder-empty' };
      return hasEntry ? { answer: 'absent', code: 'ENOENT' } : { answer: 'unknown', code: 'parent-empty' };
    } catch (error) {
      const code = codeOf(error);
      if (ofOnePath.has(code)) return { answer: 'unknown', code };
      if (code === 'ENOENT') return { answer: 'unknown', code: 'changed-while-looking' };
      throw error;
    }
  }

  async #hasEntry(path: string, signal: AbortSignal): Promise<boolean> {
    const dir = await this.#call(opendir(path), signal, path);
    try {
      return (await this.#call(dir.read(), signal, path)) !== null;
    } finally {
      await closed(dir);
    }
  }

  #path(folders: readonly string[]): string {
    return join(this.address, ...folders);
  }

  /** Waits no longer than it may; the call itself cannot be ended, and holds one of Node's threads while it hangs. */
  #call<T>(work: Promise<T>, signal: AbortSignal, path: string): Promise<T> {
    const known = work.catch((error: unknown) => {
      throw classify(error, path);
    });
    return cutOff(known, {
      signal,
      withinMs: this.#callMs,
      tooLate: () =>
        failure('SourceUnavailable', 'timeout', `${path} did not answer within ${this.#callMs} ms. Look at its mount.`),
      end: () => {},
    });
  }
}

const byCode: Readonly<Record<string, readonly [FailureType, string]>> = {
  ENOENT: [
    'SourceUnreachable',
    'is not there. Look whether it is mounted, and correct the catalog’s root if it moved.',
  ],
  EACCES: ['SourceAccessDenied', 'cannot be read by this user. Grant it read and search permission on the way there.'],
  EPERM: ['SourceAccessDenied', 'cannot be read by this user. Grant it read and search permission on the way there.'],
  ENOTDIR: ['SourceProtocolError', 'is no folder. Correct the catalog’s root.'],
  ELOOP: ['SourceProtocolError', 'is a link that leads to itself. Correct the catalog’s root.'],
  EMFILE: ['SourceBusy', 'cannot be opened: this process has too many files open. Raise its limit.'],
  ENFILE: ['SourceBusy', 'cannot be opened: this machine has too many files open. Raise its limit.'],
};

/** By its code alone; what is not in the table is an ill disk or mount, and speaks of no table. */
function classify(error: unknown, path: string): ReconcilerFailure {
  if (error instanceof ReconcilerFailure) return error;
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'no-code';
  const [type, what] = byCode[code] ?? [
    'SourceUnavailable',
    `cannot be read (${code}). Look at the disk or its mount.`,
  ];
  return failure(type, code, `${path} ${what}`, error);
}

function codeOf(error: unknown): string {
  return error instanceof ReconcilerFailure ? error.code : '';
}

function failure(type: FailureType, code: string, message: string, cause?: unknown): ReconcilerFailure {
  return new ReconcilerFailure(type, code, message, cause === undefined ? {} : { cause });
}

async function closed(dir: Dir): Promise<void> {
  await dir.close().catch(() => {}); // what was read stays true
}
