import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Registration } from '../src/domain/registration.ts';
import type { ProbeBatch } from '../src/sources/source.ts';
import { type Estate, ledgerDatabase } from './estate.ts';

/** As large as the pages of a round. */
const pageSize = 5_000;

/**
 * The least that finding out could take: list the registrations, ask about them in the same batches, write the answers
 * down. One after the other in one process; no durability, no controls, no rules, nothing remembered.
 */
export async function openBareLoop({ postgres, services, large }: Estate) {
  const client = new pg.Client({ connectionString: postgres.url(ledgerDatabase) });
  client.on('error', () => undefined); // an interrupted run takes the server away
  await client.connect();
  await client.query(`
    create table bare_verdicts (round text, row int, path text, verdict text, code text, found text, uid text,
      moved_to text, taken boolean, evidence text, probed_at bigint)`);
  const signal = new AbortController().signal;

  const list = async (): Promise<readonly Registration[]> => {
    const registry = services.registryOf(large.metalake);
    const listed: Registration[] = [];
    for (let after: string | undefined, more = true; more; more = after !== undefined) {
      const page = await registry.registrations(
        large.catalog,
        { limit: pageSize, ...(after === undefined ? {} : { after }) },
        signal,
      );
      listed.push(...page.items);
      after = page.next;
    }
    return listed;
  };

  return {
    /** Afterwards the table is emptied, which is not part of the loop. */
    forget: () => client.query('truncate bare_verdicts'),
    /** @returns how many were asked about */
    async run(): Promise<number> {
      const registrations = await list();
      const { source } = await services.sources.sourceOf(large);
      const { batchSize } = source.traits;
      for (let from = 0; from < registrations.length; from += batchSize) {
        const batch = await source.probe(registrations.slice(from, from + batchSize), [], signal);
        await client.query(write, [JSON.stringify(rowsOf(batch, from))]);
      }
      return registrations.length;
    },
    close: () => client.end(),
  };
}

/** One parameter for all rows is the quickest that the driver has. */
const write = `
  insert into bare_verdicts
  select 'bare', row, null, verdict, code, found, uid, null, null, evidence, probed_at
  from json_to_recordset($1::json)
    as r (row int, verdict text, code text, found text, uid text, evidence text, probed_at bigint)`;

function rowsOf({ answers, asked, fingerprint, principal }: ProbeBatch, from: number): readonly object[] {
  const evidence = createHash('sha256').update(JSON.stringify({ asked, fingerprint, principal })).digest('hex');
  const probedAt = Date.now();
  return answers.map(({ answer, ...detail }, index) => ({
    row: from + index,
    verdict: answer,
    ...detail,
    evidence,
    probed_at: probedAt,
  }));
}
