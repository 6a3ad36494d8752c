import type { Held } from '../support/tcp-proxy.ts';
import type { Deployment } from './deployment.ts';

/** What is known of a round or a removal before it comes to a phase. */
export interface Known {
  readonly catalog: string;
  readonly roundId: string;
  /** Id of the registration that is about to go. */
  readonly entity: string;
}

/** Keeps a round or a removal standing in one phase, known by the statement that goes by there. */
type Stand = (at: Deployment, known: Known) => Held;

const says =
  (...words: readonly string[]) =>
  (data: string): boolean =>
    words.every((word) => data.includes(word));
const commits = says('commit');
/** How names are looked up at a PostgreSQL source, and how identities are. */
const asksByName = says('pg_control_system');
const asksByIdentity = says("u.kind OPERATOR(pg_catalog.=) 'relation'");
/** The closing quote and comma belong to the parameter before or behind; a key is long enough to be itself. */
const keyOf = ({ catalog }: Known): string => `lake/${catalog}`;

/** A round's phases. Those after the first check are met by a round that stands there already: its id is known by then. */
export const roundPhases = {
  opening: (at, known) => at.cables['worker–ledger'].hold([says('insert into "rounds"', keyOf(known))]),
  checking: (at, { catalog }) => at.source(catalog).hold([asksByName]),
  listing: (at, { roundId }) => at.cables['worker–ledger'].hold([says('insert into snapshot', roundId)]),
  probing: (at, { catalog }) => at.source(catalog).hold([asksByName]),
  settling: (at, { catalog }) => at.source(catalog).hold([asksByIdentity]),
  'checking-again': (at, { catalog }) => {
    let settled = false;
    return at.source(catalog).hold([
      (data) => {
        settled ||= asksByIdentity(data);
        return settled && asksByName(data);
      },
    ]);
  },
  judging: (at, { roundId }) => at.cables['worker–ledger'].hold([says('insert into judgements', roundId)]),
  // Published, and nobody knows.
  publishing: (at, { roundId }) =>
    at.cables['worker–ledger'].hold([says('update "catalogs"', '"published_round"', roundId), commits], 'answer'),
} as const satisfies Record<string, Stand>;
export type RoundPhase = keyof typeof roundPhases;

/** A removal's phases, from the review's question what is next to the outcome. */
export const removalPhases = {
  'next-step': (at, known) => at.cables['worker–ledger'].hold([says('"act_before"', 'from "intents"', keyOf(known))]),
  // The intent is open, and nobody knows.
  intent: (at, known) =>
    at.cables['worker–ledger'].hold([says('insert into "intents"', keyOf(known)), commits], 'answer'),
  looking: (at, { catalog }) => at.source(catalog).hold([asksByName]),
  'not-sent': (at, { entity }) => at.cables['worker–registry'].hold([says('insert into', 'tombstones', entity)]),
  // The registry has removed it, and nobody knows.
  acting: (at, { entity }) =>
    at.cables['worker–registry'].hold([says('insert into', 'tombstones', entity), commits], 'answer'),
  'reading-back': (at, { entity }) => {
    let buried = false;
    return at.cables['worker–registry'].hold([
      (data) => {
        const isRead = buried && says('select', entity)(data) && !data.includes('delete from');
        buried ||= says('insert into', 'tombstones', entity)(data);
        return isRead;
      },
    ]);
  },
  recording: (at, known) => at.cables['worker–ledger'].hold([says('insert into "removals"', keyOf(known))]),
} as const satisfies Record<string, Stand>;
export type RemovalPhase = keyof typeof removalPhases;
