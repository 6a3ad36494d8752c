import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ActivityOptions } from '@temporalio/workflow';
import { describe, expect, test } from 'vitest';
import { createReconcileActivities, createRemovalActivities } from '../../src/activities/index.ts';
import type { ActivityDeps } from '../../src/activities/deps.ts';
import { reconcileQueue, removalsQueue, workflowTypes } from '../../src/contract/names.ts';
import * as groups from '../../src/workflows/activity-options.ts';
import { workflowBundle } from '../support/world/world-house.ts';

/** What Temporal lets one write and does not forgive; the rest of that list is in docs/temporal.md. */

const root = join(import.meta.dirname, '..', '..');
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');
/** Source without comments, by file. */
function sources(...rooms: readonly string[]): readonly (readonly [file: string, text: string])[] {
  return rooms.flatMap((room) =>
    readdirSync(join(root, 'src', room), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => {
        const path = `src/${room}/${file}`;
        return [path, textOf(path).replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')] as const;
      }),
  );
}
const filesWith = (found: RegExp, ...rooms: readonly string[]): readonly string[] =>
  sources(...rooms).flatMap(([file, text]) => (found.test(text) ? [file] : []));

const everywhere = ['domain', 'contract', 'workflows', 'activities', 'schedules', 'temporal', 'api', 'main'];
const sandboxed = ['domain', 'contract', 'workflows'];

describe('determinism', () => {
  test.each([
    ['what the sandbox has not', /\b(process|Buffer|crypto|structuredClone)\b\s*[.(]|\bfetch\(/],
    ['local dates, which come from the host', /\.(get|set)(Hours|Minutes|Date|Day|Month|FullYear)\(|\.toLocale/],
    ['state of a module, which outlives a run', /^(let|var) /m],
    ['a sum whose left side is read before the wait', /[-+*/]= *\(?await\b/],
    ['Temporal’s local activities, which skip every rate', /proxyLocalActivities/],
  ])('no workflow has %s', (_what, found) => {
    expect(filesWith(found, ...sandboxed)).toEqual([]);
  });
});

describe('the bundle', () => {
  test('each export is a workflow under its contracted name, and nothing else is exported', () => {
    const exported = [...textOf('src/workflows/index.ts').matchAll(/export \{ (\w+) \}/g)].map(([, name]) => name);
    expect(new Set(exported)).toEqual(new Set(Object.values(workflowTypes)));
  });

  test('zod and the rooms behind ports are not in it', async () => {
    const bundle = await workflowBundle();
    const code = 'code' in bundle ? bundle.code : readFileSync(bundle.codePath, 'utf8');
    expect(code).toContain('reconcileRound');
    expect(code).not.toMatch(/ZodError|drizzle|node_modules\/pg\//);
  });

  test('all packages of Temporal have one exact version', () => {
    const { dependencies } = JSON.parse(textOf('package.json')) as { dependencies: Record<string, string> };
    const versions = Object.entries(dependencies).filter(([name]) => name.startsWith('@temporalio/'));
    expect(versions.length).toBeGreaterThan(4);
    expect(new Set(versions.map(([, version]) => version)).size).toBe(1);
    expect(versions[0]?.[1]).toMatch(/^\d+\.\d+\.\d+$/);
  });
});

describe('activities', () => {
  const options = Object.entries(groups) as [string, ActivityOptions][];
  const seconds = (duration: unknown): number => {
    const [, count = '', unit = ''] = /^(\d+) (second|minute|hour|day)s?$/.exec(String(duration)) ?? [];
    return Number(count) * ({ second: 1, minute: 60, hour: 3_600, day: 86_400 }[unit] ?? Number.NaN);
  };

  test.each(options)('%s: bound for each attempt and in all, with a retry policy that was chosen', (_name, group) => {
    expect(seconds(group.startToCloseTimeout)).toBeGreaterThan(0);
    expect(seconds(group.scheduleToCloseTimeout)).toBeGreaterThanOrEqual(seconds(group.startToCloseTimeout));
    expect(group.retry).toBeDefined();
  });

  test.each(options)('%s: a worker that died is noticed within half a minute', (_name, group) => {
    expect(seconds(group.heartbeatTimeout ?? group.startToCloseTimeout)).toBeLessThanOrEqual(30);
  });

  test('beats are let through more often than their time-out', () => {
    const [, throttle = ''] =
      /maxHeartbeatThrottleInterval: '(\d+) seconds'/.exec(textOf('src/temporal/workers.ts')) ?? [];
    for (const [, { heartbeatTimeout }] of options) {
      if (heartbeatTimeout !== undefined) expect(seconds(heartbeatTimeout)).toBeGreaterThan(2 * Number(throttle));
    }
    expect(Number(throttle)).toBeGreaterThan(0);
  });

  test('a removal is tried once, on a queue of its own', () => {
    expect(groups.removing).toMatchObject({ taskQueue: removalsQueue, retry: { maximumAttempts: 1 } });
    expect(removalsQueue).not.toBe(reconcileQueue);
  });

  test('no activity overwrites another of its name', () => {
    const deps = {} as ActivityDeps;
    const names = [createReconcileActivities(deps), createRemovalActivities(deps)].flatMap((each) => Object.keys(each));
    expect(new Set(names).size).toBe(names.length);
  });
});

test('every child says what becomes of it with its parent', () => {
  for (const [file, text] of sources('workflows')) {
    const children = text.split(/\b(?:startChild|executeChild)\(/).slice(1);
    for (const child of children) expect(child.slice(0, 600), file).toContain('parentClosePolicy');
  }
});

test('a schedule is never triggered past its overlap rule', () => {
  expect(filesWith(/\.trigger\(\s*\)|triggerImmediately/, ...everywhere)).toEqual([]);
});

test('nothing is a Temporal failure of a class of its own', () => {
  expect(filesWith(/extends (\w*Failure)\b(?<!ReconcilerFailure)/, ...everywhere)).toEqual([]);
});

test('an interceptor could add commands to a workflow: there is none', () => {
  expect(filesWith(/interceptors/i, ...everywhere)).toEqual([]);
});
