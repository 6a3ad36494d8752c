import { randomUUID } from 'node:crypto';
import { Client, Connection, WorkflowNotFoundError } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Gateway } from '../../src/api/gateway.ts';
import { reviewWorkflowId, roundWorkflowId, searchAttributes } from '../../src/contract/names.ts';
import { createGateway } from '../../src/temporal/gateway.ts';
import { addMissingAttributes } from '../../src/temporal/search-attributes.ts';
import { temporalAddress } from '../support/temporal-server.ts';
import { ada } from '../support/world/world-steps.ts';

const name = { metalake: 'world', catalog: 'nobody-works' };
let connection: Connection;
let client: Client;
let gateway: Gateway;
beforeAll(async () => {
  connection = await Connection.connect({ address: await temporalAddress() });
  const namespace = `workless-${randomUUID()}`;
  const day = { seconds: 86_400 as never };
  await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: day });
  await addMissingAttributes(connection, namespace, Object.values(searchAttributes));
  client = new Client({ connection, namespace });
  gateway = createGateway(client);
}, 60_000);
afterAll(() => connection.close());

test('while no worker was seen nothing is sent, so that nothing happens later that nobody expects', {
  timeout: 60_000,
}, async () => {
  const items = [{ findingId: 'f', digest: 'd', action: 'keep' as const }];
  const message = { items, actor: ada, requestKey: 'k', notAfter: Date.now() + 60_000 };
  const refused = { name: 'GatewayUnavailable', missing: 'worker' };
  await expect(gateway.startRound(name, { dry: false, actor: ada })).rejects.toMatchObject(refused);
  await expect(gateway.decide(name, message)).rejects.toMatchObject(refused);
  for (const id of [roundWorkflowId(name), reviewWorkflowId(name)]) {
    await expect(client.workflow.getHandle(id).describe()).rejects.toThrow(WorkflowNotFoundError);
  }
  // what is only told waits at the server
  await gateway.wakeReview(name, 'a pause');
  expect((await client.workflow.getHandle(reviewWorkflowId(name)).describe()).status.name).toBe('RUNNING');
  await client.workflow.getHandle(reviewWorkflowId(name)).terminate();
});
