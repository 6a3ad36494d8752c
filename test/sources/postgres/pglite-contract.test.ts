import { sourceContract } from '../source-contract.ts';
import { pgliteHost } from './pglite-host.ts';
import { postgresWorld } from './postgres-world.ts';

sourceContract('PostgreSQL in PGlite', async () => postgresWorld(await pgliteHost()));
