import { describe, expect, test } from 'vitest';
import { ReconcilerFailure } from '../../../src/domain/failure.ts';
import type { Path } from '../../../src/domain/path.ts';
import { type Bench, collect, never, uidOf } from './bench.ts';

/** What the source lists of itself. */
export function listingCases(bench: Bench): void {
  describe('listing', () => {
    test('lists what is there, each once, containers before their contents', async () => {
      const expected: Path[] = [];
      for (const maker of bench.world.makers) expected.push((await bench.made(maker)).path);
      const seen = await collect(bench.source.list(never));
      const texts = seen.map(({ path }) => JSON.stringify(path));
      expect(new Set(texts).size).toBe(texts.length);
      for (const path of expected) {
        const at = texts.indexOf(JSON.stringify(path));
        expect(at, JSON.stringify(path)).toBeGreaterThanOrEqual(0);
        if (bench.world.container === undefined) continue;
        expect(texts.indexOf(JSON.stringify(path.slice(0, -1)))).toBeLessThan(at);
      }
      for (const listed of seen.slice(0, 20)) {
        const kind =
          listed.path.length === 1 && bench.world.container ? bench.world.container.kind : bench.world.makers[0].kind;
        const answer = await bench.askOne({ kind, path: listed.path });
        expect(answer).toMatchObject({ answer: 'present', found: listed.found });
        if (listed.uid !== undefined) expect(uidOf(answer)).toBe(listed.uid);
      }
    });

    test('B28 B29 a source that fails in the middle fails the listing, it never shortens it', async (context) => {
      if (bench.world.breakDown === undefined) return context.skip('this system cannot be stopped');
      await bench.made();
      const reader = bench.source.list(never)[Symbol.asyncIterator]();
      expect((await reader.next()).done).toBe(false);
      const mend = await bench.world.breakDown();
      try {
        await expect(
          (async () => {
            while ((await reader.next()).done !== true);
          })(),
        ).rejects.toThrow(ReconcilerFailure);
      } finally {
        await mend();
      }
    });
  });
}
