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

/** A wanted attribute and how the server has it. */
export interface AttributeState extends WantedAttribute {
  readonly is: 'there' | 'missing' | 'of-another-type';
}

/** Asks the server which of them it has. */
export async function attributeStates(
  connection: Connection,
  namespace: string,
  wanted: readonly WantedAttribute[],
): Promise<readonly AttributeState[]> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  return wanted.map((attribute) => {
    const present = customAttributes?.[attribute.name] ?? undefined;
    const is = present === spellings[attribute.type].code ? 'there' : 'of-another-type';
    return { ...attribute, is: present === undefined ? 'missing' : is };
  });
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
    const states = await attributeStates(connection, namespace, wanted);
    const other = states.find(({ is }) => is === 'of-another-type');
    if (other !== undefined) {
      throw new Error(`search attribute ${other.name} exists with another type than ${spellings[other.type].flag}`);
    }
    return states.filter(({ is }) => is === 'missing');
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
