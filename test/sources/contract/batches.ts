import { describe, expect, onTestFinished, test } from 'vitest';
import { readControls } from '../../../src/domain/controls.ts';
import type { ProbeTarget } from '../../../src/domain/verdict.ts';
import { type Bench, first, never, sibling } from './bench.ts';

/** Many questions in one call, and the controls that come with them. */
export function batchCases(bench: Bench): void {
  describe('batches', () => {
    test('B05 as many answers as questions, in their order, repeated questions included', async () => {
      const [maker] = bench.world.makers;
      const there = await bench.made(maker);
      const gone: ProbeTarget = { kind: maker.kind, path: sibling(there.path, 'gone') };
      const targets = Array.from({ length: Math.min(199, bench.source.traits.batchSize) }, (_, index) =>
        index % 3 === 0 ? there : gone,
      );
      const answers = await bench.ask(...targets);
      expect(answers.map(({ answer }) => answer)).toEqual(
        targets.map((target) => (target === there ? 'present' : 'absent')),
      );
    });

    test('a whole batch and not one more', async () => {
      const { batchSize } = bench.source.traits;
      const path = await bench.place();
      const target: ProbeTarget = { kind: bench.world.makers[0].kind, path };
      expect(await bench.ask(...Array.from({ length: batchSize }, () => target))).toHaveLength(batchSize);
      const tooMany = Array.from({ length: batchSize + 1 }, () => target);
      await expect(bench.source.probe(tooMany, [], never)).rejects.toMatchObject({ type: 'InvalidRequest' });
    });

    test('no target, no answer', async () => {
      expect(await bench.ask()).toEqual([]);
    });

    test('questions that are asked at the same time get their own answers', async () => {
      const there = await bench.made();
      const gone: ProbeTarget = { ...there, path: sibling(there.path, 'gone') };
      const asked = Array.from({ length: 24 }, (_, index) => (index % 2 === 0 ? there : gone));
      const answers = await Promise.all(asked.map(bench.askOne));
      expect(answers.map(({ answer }) => answer)).toEqual(
        asked.map((target) => (target === there ? 'present' : 'absent')),
      );
    });
  });

  describe('controls', () => {
    test('come with every probe and are right', async () => {
      const known = [await bench.made(), await bench.made()];
      const gone: ProbeTarget = { ...first(known), path: sibling(first(known).path, 'gone') };
      const { controls, asked } = await bench.source.probe([], known, never);
      expect(readControls(controls)).toBe('trusted');
      expect(controls.known.map(({ answer }) => answer)).toEqual(['present', 'present']);
      expect(asked.strength).toBe('conclusive');
      const { controls: withGone } = await bench.source.probe([], [...known, gone], never);
      expect(withGone.known.map(({ answer }) => answer)).toEqual(['present', 'present', 'absent']);
    });

    test('without a known object nothing is proven', async () => {
      expect(readControls((await bench.source.probe([], [], never)).controls)).toBe('no-known');
    });

    test('all known objects gone is told as it is, for a person to look at', async () => {
      const gone: ProbeTarget = { kind: bench.world.makers[0].kind, path: await bench.place() };
      expect(readControls((await bench.source.probe([], [gone], never)).controls)).toBe('controls-absent');
    });

    test('the check says who answered, for whom, and the same each time', async () => {
      const known = [await bench.made()];
      const check = await bench.source.check(known, never);
      expect(readControls(check.controls)).toBe('trusted');
      expect(check.fingerprint).not.toBe('');
      expect(check.principal).not.toBe('');
      const again = bench.world.open();
      onTestFinished(() => again.close());
      const batch = await again.probe([], known, never);
      expect([batch.fingerprint, batch.principal]).toEqual([check.fingerprint, check.principal]);
    });
  });
}
