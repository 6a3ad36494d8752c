import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DemoStateFile, demoFolder, demoStages } from '../../src/main/demo/demo-state.ts';
import { scratchFolder } from '../support/scratch.ts';

test('a new folder is at the first stage and knows of no place', async () => {
  const { state } = await DemoStateFile.open(await scratchFolder());
  expect(state).toEqual({ version: 1, stage: 'new', ports: {} });
});

test('what was reached is known to the next start, and so are all stages before it', async () => {
  const folder = await scratchFolder();
  const first = await DemoStateFile.open(folder);
  await first.settle({ place: 'embedded', ports: { shop: 4711 } });
  await first.reach('baseline-round');
  const next = await DemoStateFile.open(folder);
  expect(demoStages.filter((stage) => next.has(stage))).toEqual(['new', 'seeded', 'baseline-round']);
  expect(next.state).toMatchObject({ place: 'embedded', ports: { shop: 4711 } });
});

test('a write that was killed half-way leaves the state before it', async () => {
  const folder = await scratchFolder();
  await (await DemoStateFile.open(folder)).reach('seeded');
  await writeFile(join(demoFolder(folder), 'state.json.draft'), '{"version":1,"stage":"dri');
  const next = await DemoStateFile.open(folder);
  expect(next.state.stage).toBe('seeded');
  await next.reach('baseline-round');
  expect(JSON.parse(await readFile(join(demoFolder(folder), 'state.json'), 'utf8'))).toEqual(next.state);
});

test.each([
  ['half a file', '{"version":1,"sta'],
  ['a stage that nobody knows', '{"version":1,"stage":"later","ports":{}}'],
  ['a later version', '{"version":2,"stage":"new","ports":{}}'],
])('%s is refused by its name, never taken for a new start', async (_what, text) => {
  const folder = await scratchFolder();
  await mkdir(demoFolder(folder));
  await writeFile(join(demoFolder(folder), 'state.json'), text);
  await expect(DemoStateFile.open(folder)).rejects.toThrow(join(demoFolder(folder), 'state.json'));
});
