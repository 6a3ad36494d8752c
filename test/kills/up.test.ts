import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { reviewWorkflowId } from '../../src/contract/names.ts';

import { startEmbeddedSource } from '../../src/main/demo/embedded-source.ts';
import { stillRuns } from '../../src/temporal/dev-server/process-identity.ts';
import { readRecord } from '../../src/temporal/dev-server/server-record.ts';
import { scratchFolder } from '../support/scratch.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { until } from '../support/until.ts';
import { callsTo } from './api-calls.ts';
import { type CliProcess, endsTemporalOf, startCli } from './cli-process.ts';

/** A start of everything on a busy machine. */
const startMs = 90_000;
const listens = /API +(http:\S+)/;

/** A source with tables of its own, behind a door. */
async function openSource(folder: string, tables: number) {
  const database = { folder: join(folder, 'source'), database: 'shop' };
  const made = await PGlite.create({ dataDir: database.folder });
  await made.exec('create database shop');
  await made.close();
  const source = await startEmbeddedSource(database, 0);
  const door = await TcpProxy.before(source.port);
  onTestFinished(async () => {
    await door.close();
    await source.stop();
  });
  const sql = async (text: string): Promise<void> => {
    const client = new pg.Client({ host: '127.0.0.1', port: source.port, user: 'postgres', database: 'shop' });
    await client.connect();
    try {
      await client.query(text);
    } finally {
      await client.end();
    }
  };
  const create = Array.from({ length: tables }, (_, table) => `create table sales.t${table} (id int);`);
  await sql(`create schema sales; ${create.join(' ')}`);
  return { door, sql };
}

async function writeConfig(folder: string, port: number): Promise<string> {
  const file = join(folder, 'config.yaml');
  const text = `
temporal: {port: 0, uiPort: 0}
reconcile: {misses: 2, graceSecs: 0, minimumAgeSecs: 0, removalsPerSecond: 1, removalBurst: 1}
metalakes:
  lake:
    catalogs:
      shop:
        provider: postgresql
        connection: {host: 127.0.0.1, port: ${port}, database: shop, user: postgres, sslmode: disable}
`;
  await writeFile(file, text);
  return file;
}

/** Waits until no activity is under way in a review, so that what is killed next is killed between two of them. */
async function reviewRests(dataDir: string): Promise<void> {
  const record = await readRecord(join(dataDir, 'temporal'));
  const connection = await Connection.connect({ address: `127.0.0.1:${record?.port}` });
  try {
    const review = new Client({ connection }).workflow.getHandle(
      reviewWorkflowId({ metalake: 'lake', catalog: 'shop' }),
    );
    await until('the review keeps its pace', startMs, async () => {
      const { raw } = await review.describe();
      return (raw.pendingActivities ?? []).length === 0;
    });
  } finally {
    await connection.close();
  }
}

async function temporalOf(dataDir: string) {
  const record = await readRecord(join(dataDir, 'temporal'));
  if (record === undefined) throw new Error('no Temporal server is on record');
  return record.server;
}

describe('up, killed', { timeout: 240_000 }, () => {
  test('in the middle of a round and of removals: the next start goes on, nothing twice and nothing lost', async () => {
    const folder = await scratchFolder();
    const { door, sql } = await openSource(folder, 30);
    const config = await writeConfig(folder, door.port);
    const dataDir = join(folder, 'data');
    endsTemporalOf(dataDir);
    const up = (port = 0): CliProcess =>
      startCli(['up', '--no-demo', '--config', config, '--data-dir', dataDir, '--port', String(port)]);
    let address = '';
    const shop = callsTo(() => address, 'lake', 'shop');

    const first = up();
    address = await first.says(listens, startMs);
    const temporal = await temporalOf(dataDir);
    expect(await shop.import()).toMatchObject({ added: 32 });
    expect(await shop.round(startMs)).toMatchObject({ state: 'published' });
    await sql(['t1', 't2', 't3', 't4', 't5'].map((table) => `drop table sales.${table};`).join(' '));
    expect(await shop.round(startMs)).toMatchObject({ state: 'published' });

    // A second start on the same folder opens nothing and says where the first one is.
    const second = up();
    expect(await second.says(/in use by process \d+, which listens on (\S+?)\. /, startMs)).toBe(address);
    expect(await second.exitCode(startMs)).not.toBe(0);

    const question = door.hold([() => true]);
    const { round } = await shop.startRound();
    await until('the round asks the source', startMs, question.isMet);
    await first.kill();
    expect(await stillRuns(temporal)).toBe(true);
    question.release();

    // Where its port is taken meanwhile, it says so and takes another one.
    const squatter = createServer().listen(Number(new URL(address).port), '127.0.0.1');
    await once(squatter, 'listening');
    onTestFinished(() => void squatter.close());
    const third = up(Number(new URL(address).port));
    const taken = Number(new URL(address).port);
    address = await third.says(listens, startMs);
    expect(third.output()).toContain(`Port ${taken} on 127.0.0.1 is taken by another process.`);
    expect(third.output()).toContain('left behind is used again');
    expect(await temporalOf(dataDir)).toEqual(temporal);
    // The step that was cut off is asked for again when its 30 seconds are over.
    expect(await shop.endOf(round, 90_000)).toMatchObject({ state: 'published' });

    const found = await shop.stale();
    expect(found.map(({ path }) => path)).toEqual(['sales/t1', 'sales/t2', 'sales/t3', 'sales/t4', 'sales/t5']);
    const approved = await shop.approve(found, 'all-five');
    expect(approved.answers.map(({ answer }) => answer)).toEqual(found.map(() => 'accepted'));
    await until('some are removed', startMs, async () => (await shop.removals()).length >= 2);
    await reviewRests(dataDir);
    await third.kill();

    const fourth = up();
    address = await fourth.says(listens, startMs);
    await until('all five are removed', 150_000, async () => (await shop.stale()).length === 0, 200);
    const removals = await shop.removals();
    expect(removals.map(({ outcome }) => outcome)).toEqual(found.map(() => 'removed'));
    expect(removals.map(({ path }) => path).sort()).toEqual(found.map(({ path }) => path));
    expect(await shop.import()).toMatchObject({ added: 0, existing: 27 });
    const settled = (await shop.audit()).filter(({ action }) => action === 'removal-settled');
    expect(new Set(settled.map(({ subject }) => subject)).size).toBe(5);
    expect(settled).toHaveLength(5);

    const { code, tookMs } = await fourth.stop('SIGINT');
    expect(code).toBe(0);
    expect(tookMs).toBeLessThan(10_000);
    expect(await stillRuns(temporal)).toBe(false);
  });
});
