import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Path } from '../../../src/domain/path.ts';
import { type Bench, sibling } from './bench.ts';

/** Names as people really give them. */
export function nameCases(bench: Bench): void {
  describe('names', () => {
    test('B32 B35 any name that can be made is found, and exactly those that were made', async () => {
      const [maker] = bench.world.makers;
      const lists = fc.uniqueArray(bench.world.names, { minLength: 2, maxLength: 8 });
      await fc.assert(
        fc.asyncProperty(lists, fc.infiniteStream(fc.boolean()), async (names, coins) => {
          const base = await bench.freshRoom();
          const targets = names.map((label) => ({ kind: maker.kind, path: [...base, label] as unknown as Path }));
          const there = targets.map(() => coins.next().value === true);
          for (const [index, { path }] of targets.entries()) if (there[index]) await maker.create(path);
          const answers = await bench.ask(...targets);
          expect(answers.map(({ answer }) => answer)).toEqual(there.map((made_) => (made_ ? 'present' : 'absent')));
        }),
        { numRuns: 25 },
      );
    });

    test('names that look alike are told apart', async () => {
      const [maker] = bench.world.makers;
      for (const [left, right] of bench.world.twins) {
        const path = await bench.place(left);
        await maker.create(path);
        const twin = sibling(path, right);
        const answers = await bench.ask({ kind: maker.kind, path }, { kind: maker.kind, path: twin });
        expect(
          answers.map(({ answer }) => answer),
          `${left} and ${right}`,
        ).toEqual(['present', 'absent']);
      }
    });

    test('a name that cannot be asked about is unknown, and disturbs no other', async () => {
      const there = await bench.made();
      for (const { target, code } of bench.world.doubtful) {
        const answers = await bench.ask(there, target, there);
        expect(answers[1], JSON.stringify(target)).toEqual({ answer: 'unknown', code });
        expect([answers[0]?.answer, answers[2]?.answer]).toEqual(['present', 'present']);
      }
      const all = bench.world.doubtful.map(({ target }) => target);
      expect((await bench.ask(...all)).map(({ answer }) => answer)).toEqual(all.map(() => 'unknown'));
    });
  });
}
