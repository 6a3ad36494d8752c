import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { beforeAll, describe, expect, test } from 'vitest';
import { workflowBundle } from '../support/world/world-house.ts';
import { type StoredHistory, storedHistories } from './histories.ts';
import { paths } from './paths.ts';

const histories = await storedHistories();

async function replay(history: unknown, workflowId: string): Promise<void> {
  await Worker.runReplayHistory({ workflowBundle: await workflowBundle() }, history, workflowId);
}

function stored(name: string): StoredHistory {
  const found = histories.find((history) => history.name === name);
  if (found === undefined) throw new Error(`${name} is not recorded: npm run record-histories ${name}`);
  return found;
}

beforeAll(async () => {
  // A replay that fails is this file's business, and its own log lines would drown the test's.
  Runtime.install({ logger: new DefaultLogger('ERROR', () => undefined), shutdownSignals: [] });
  await workflowBundle();
});

describe('what once ran can go on under the workflows of today', () => {
  test.each(histories)('$name', async ({ history, workflowId }) => {
    await replay(history, workflowId);
  });

  test('there is a history for each path, and none was taken away', () => {
    const recorded = histories.map(({ name }) => name);
    for (const name of Object.keys(paths)) expect(recorded).toContain(name);
  });
});

describe('a replay that should fail does', () => {
  test.each([
    ['another activity where a known one was called', 'round-with-findings', 'checkCatalog', 'checkSource'],
    ['another child than the review', 'round-with-findings', 'catalogReview', 'catalogOverview'],
    ['a removal that was once something else', 'review-approved-and-removed', 'removeRegistration', 'dropRegistration'],
  ])('%s', async (_what, name, was, becomes) => {
    const { history, workflowId } = stored(name);
    const tampered = JSON.parse(JSON.stringify(history).replaceAll(`"${was}"`, `"${becomes}"`)) as unknown;
    expect(tampered).not.toEqual(history);
    await expect(replay(tampered, workflowId)).rejects.toBeInstanceOf(DeterminismViolationError);
  });
});

test('histories tell nothing of the machine that recorded them', () => {
  for (const { name, history } of histories) {
    const text = JSON.stringify(history);
    expect(text, name).not.toMatch(/node_modules|file:\/\/|\/(?:home|root|work|tmp|Users)\//);
    expect(text, name).not.toContain(`@${hostname()}`);
    expect(text, name).not.toMatch(/"identity":"\d+@/);
  }
});

test('protobufjs stays a direct dependency, or histories in JSON cannot be read', () => {
  const { devDependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  const [, major, minor] = /^\^(\d+)\.(\d+)\./.exec(devDependencies['protobufjs'] ?? '') ?? [];
  expect(Number(major)).toBe(8);
  expect(Number(minor)).toBeGreaterThanOrEqual(7);
});
