import { type Figure, figure } from './figure.ts';
import { ledgerDatabase } from './estate.ts';
import type { Workshop } from './workshop.ts';

const rounds = 3;

/** What the ledger keeps of a round of 100,000 registrations that brought no news. */
export async function measureLedgerGrowth(workshop: Workshop): Promise<readonly Figure[]> {
  const { postgres, large } = await workshop.estate();
  const product = await workshop.product();
  const rows = async (): Promise<number> => {
    const tables = await postgres.sql(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public'`,
      ledgerDatabase,
    );
    let sum = 0;
    for (const { name } of tables) {
      const [counted] = await postgres.sql(`select count(*)::int as count from ${String(name)}`, ledgerDatabase);
      sum += Number(counted?.['count']);
    }
    return sum;
  };
  // the first ones may have news, and leave the rows of a published round and of its predecessor behind
  for (let warm = 0; warm < 3; warm += 1) await product.round(large);
  const before = await rows();
  for (let round = 0; round < rounds; round += 1) await product.round(large);
  const after = await rows();
  workshop.tell(`${before} rows in the ledger, ${after} after ${rounds} more rounds`);
  return [
    figure('rows that a round of 100,000 without news adds to the ledger', (after - before) / rounds, 'rows', 10),
  ];
}
