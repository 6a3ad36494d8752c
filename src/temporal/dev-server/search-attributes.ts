import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from '@temporalio/client';
import type { SearchAttributeType } from '@temporalio/common';

/** A search attribute to register; the keys that `defineSearchAttributeKey` makes fit. */
export interface WantedAttribute {
  readonly name: string;
  readonly type: SearchAttributeType;
}

/** As flags of `temporal server start-dev`; they count only while the database file is new. */
export function searchAttributeFlags(wanted: readonly WantedAttribute[]): string[] {
  return wanted.flatMap(({ name, type }) => ['--search-attribute', `${name}=${spellings[type].flag}`]);
}

/**
 * Registers what a server with an older database file lacks (it ignores the flags), and waits until it is listed.
 * Throws when one is there with another type: that cannot be changed.
 */
export async function addMissingAttributes(
  connection: Connection,
  namespace: string,
  wanted: readonly WantedAttribute[],
): Promise<void> {
  const deadline = Date.now() + registrationTimeoutMs;
  const missing = async () => {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    return wanted.filter(({ name, type }) => {
      const present = customAttributes?.[name];
      if (present !== undefined && present !== null && present !== spellings[type].code) {
        throw new Error(`search attribute ${name} exists with another type than ${spellings[type].flag}`);
      }
      return present === undefined || present === null;
    });
  };
  await connection.withDeadline(deadline, async () => {
    const lacking = await missing();
    if (lacking.length === 0) return;
    const searchAttributes = Object.fromEntries(lacking.map(({ name, type }) => [name, spellings[type].code]));
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
    while ((await missing()).length > 0) await pause(lookEveryMs);
  });
}

/** Per type: its name on the command line and its number in the API (`temporal.api.enums.v1.IndexedValueType`). */
const spellings = {
  TEXT: { flag: 'Text', code: 1 },
  KEYWORD: { flag: 'Keyword', code: 2 },
  INT: { flag: 'Int', code: 3 },
  DOUBLE: { flag: 'Double', code: 4 },
  BOOL: { flag: 'Bool', code: 5 },
  DATETIME: { flag: 'Datetime', code: 6 },
  KEYWORD_LIST: { flag: 'KeywordList', code: 7 },
} as const satisfies Record<SearchAttributeType, { flag: string; code: number }>;

const registrationTimeoutMs = 10_000; // listed after a refresh of the server's caches, about a second
const lookEveryMs = 100;
