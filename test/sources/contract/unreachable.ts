import { expect } from 'vitest';
import type { ProbeTarget } from '../../../src/domain/verdict.ts';
import type { SourceWorld } from '../source-world.ts';
import { caught, collect, never, slackMs } from './bench.ts';

/** Every way of asking fails as unreachable, within the adapter's patience, and tells nothing secret. */
export async function expectUnreachable(world: SourceWorld, port: number): Promise<void> {
  const { openAt, patienceMs } = required(world.network);
  const source = openAt(port);
  try {
    const target: ProbeTarget = { kind: world.makers[0].kind, path: ['a', 'b'] };
    const started = performance.now();
    const failures = await Promise.all([
      caught(source.check([], never)),
      caught(source.probe([target], [], never)),
      caught(collect(source.list(never))),
    ]);
    expect(performance.now() - started).toBeLessThan(patienceMs + slackMs);
    for (const failure of failures) {
      expect(failure.type).toBe('SourceUnreachable');
      expect(failure.message).toContain(String(port));
      if (world.secret !== undefined) expect(`${failure.message} ${failure.stack}`).not.toContain(world.secret);
    }
  } finally {
    await source.close();
  }
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('this system is not reached over a network');
  return value;
}
