import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEmbeddedServer } from '../support/delta/embedded-server.ts';

const run = promisify(execFile);
const program = fileURLToPath(new URL('unity-java/', import.meta.url));

let folder: string;
let server: Awaited<ReturnType<typeof openEmbeddedServer>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalog-reconciler-'));
  server = await openEmbeddedServer(pathToFileURL(folder).href, { principals: false });
});
afterAll(async () => {
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

/** The published client with all that it needs; fetched once per machine. */
async function classPath(): Promise<string> {
  const file = join(folder, 'classpath');
  const goal = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:build-classpath';
  await run('mvn', ['-q', '-B', '-f', join(program, 'pom.xml'), goal, `-Dmdep.outputFile=${file}`], {
    timeout: 300_000,
  });
  return readFile(file, 'utf8');
}

test('the Java client 0.6.0 creates, commits, loads, meets conflicts, backfills, renames and deletes', async (context) => {
  const path = await classPath().catch((error: unknown) => {
    const why = 'it takes Java, Maven, and the package from a registry';
    console.warn(`NOT TESTED: io.unitycatalog:unitycatalog-client:0.6.0, ${why}: ${String(error)}`);
    return context.skip(why);
  });
  const outside = pathToFileURL(join(tmpdir(), 'catalog-reconciler-outside')).href;
  const address = new URL(server.baseUrl).origin;
  const { stdout } = await run('java', ['-cp', path, join(program, 'Drive.java'), address, outside], {
    timeout: 100_000,
  });
  expect(stdout.trim().split('\n').at(-1)).toBe('done');
  expect(stdout.split('\n').filter((line) => line.startsWith('ok '))).toHaveLength(21);
}, 420_000);
