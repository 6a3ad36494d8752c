import { describe, expect, test } from 'vitest';
import type { Path } from '../../../src/domain/path.ts';
import type { ProbeTarget } from '../../../src/domain/verdict.ts';
import { allMakers, type Bench, first, freshPath } from './bench.ts';

/** What is there and what is not. */
export function objectCases(bench: Bench): void {
  describe('present', () => {
    test('finds every kind that it can hold, as what it is', async () => {
      for (const maker of allMakers(bench.world)) {
        const path = maker === bench.world.container ? freshPath() : await bench.place();
        await maker.create(path);
        const answer = await bench.askOne({ kind: maker.kind, path });
        expect(answer, `${maker.found}`).toMatchObject({ answer: 'present', found: maker.found });
        expect('uid' in answer).toBe(bench.source.traits.stableIdentity);
      }
    });

    test('says what stands under the name, whatever kind was asked for', async () => {
      const [first, ...others] = bench.world.makers;
      for (const other of others) {
        const { path } = await bench.made(other);
        expect(await bench.askOne({ kind: first.kind, path })).toMatchObject({ answer: 'present', found: other.found });
      }
    });

    test('the identity stays the same from one question to the next', async () => {
      const target = await bench.made();
      expect(await bench.askOne(target)).toEqual(await bench.askOne(target));
    });
  });

  describe('absent', () => {
    test('an object that never was', async () => {
      const path = await bench.place();
      for (const { kind } of bench.world.makers)
        expect(await bench.askOne({ kind, path })).toMatchObject({ answer: 'absent' });
    });

    test('an object that was dropped', async () => {
      const target = await bench.made();
      await bench.world.drop(target);
      expect(await bench.askOne(target)).toMatchObject({ answer: 'absent' });
    });

    test('a container that is missing is absent, and what would be in it has an absent parent', async (context) => {
      if (bench.world.container === undefined) return context.skip('this source has no containers');
      const path: Path = freshPath();
      const [container, child] = await bench.ask(
        { kind: bench.world.container.kind, path },
        { kind: bench.world.makers[0].kind, path: [...path, 'child'] },
      );
      expect(container).toMatchObject({ answer: 'absent' });
      expect(child).toMatchObject({ answer: 'parent-absent' });
    });

    test('B17 of two objects with one name only the missing one is absent', async (context) => {
      if (bench.world.container === undefined) return context.skip('this source has no containers');
      const [maker] = bench.world.makers;
      const [left, right] = [await bench.freshContainer(), await bench.freshContainer()];
      const targets = [left, right].map((path): ProbeTarget => ({ kind: maker.kind, path: [...path, 'orders'] }));
      for (const { path } of targets) await maker.create(path);
      await bench.world.drop(first(targets));
      expect((await bench.ask(...targets)).map(({ answer }) => answer)).toEqual(['absent', 'present']);
    });
  });
}
