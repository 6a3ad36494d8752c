import { userInfo } from 'node:os';

/** Who runs this process, as the operating system calls them; a bare number where it knows no name. */
export function osUser(): string {
  try {
    return userInfo().username;
  } catch {
    // a container may run under a number that has no entry in the user database
    return `uid-${process.getuid?.() ?? 'unknown'}`;
  }
}
