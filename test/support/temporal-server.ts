import { TestWorkflowEnvironment } from '@temporalio/testing';
import { inject } from 'vitest';
import { timeSkippingServer } from './temporal-binaries.ts';
import type { DeskAnswer } from './temporal-desk.ts';

/**
 * The address of the dev server that all files of this run share; the first caller starts it. Call it in `beforeAll`
 * (a first run on a machine fetches the server), and keep apart from other files by task queue and workflow id.
 */
export async function temporalAddress(): Promise<string> {
  const response = await fetch(inject('temporalDesk'));
  const answer = (await response.json()) as DeskAnswer;
  if ('missing' in answer) throw new Error(`This test needs a Temporal server. ${answer.missing}`);
  return answer.address;
}

/** A server of one's own with a clock that skips timers of days. Tear it down in `afterAll`. */
export async function timeSkippingEnvironment(): Promise<TestWorkflowEnvironment> {
  const path = await timeSkippingServer();
  return TestWorkflowEnvironment.createTimeSkipping({ server: { executable: { type: 'existing-path', path } } });
}
