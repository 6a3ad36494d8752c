import { describe, expect, test } from 'vitest';
import type { Path } from '../../../src/domain/path.ts';
import type { ProbeTarget } from '../../../src/domain/verdict.ts';
import { type Bench, never, sibling, uidOf, freshPath } from './bench.ts';

/** What stays the same under another name, and what is new under the same one. */
export function identityCases(bench: Bench): void {
  describe('identity', () => {
    test('B41 an object that was dropped and made again is another one', async (context) => {
      if (!bench.source.traits.stableIdentity) return context.skip('this source has no identities');
      const [maker] = bench.world.makers;
      const target = await bench.made(maker);
      const before = uidOf(await bench.askOne(target));
      await bench.world.drop(target);
      await maker.create(target.path);
      expect(uidOf(await bench.askOne(target))).not.toBe(before);
      expect(await bench.source.identify([before], never)).toEqual([]);
    });

    test('an object that another kind took the place of is present as that kind, with another identity', async (context) => {
      const [maker, ...others] = bench.world.makers;
      if (others.length === 0) return context.skip('this source has one kind only');
      for (const other of others) {
        const target = await bench.made(maker);
        const before = uidOf(await bench.askOne(target));
        await bench.world.drop(target);
        await other.create(target.path);
        const after = await bench.askOne(target);
        expect(after).toMatchObject({ answer: 'present', found: other.found });
        if (bench.source.traits.stableIdentity) expect(uidOf(after)).not.toBe(before);
      }
    });

    test('B37 a renamed object is absent under its old name and found by its identity', async (context) => {
      const { rename } = bench.world;
      if (!bench.source.traits.stableIdentity || rename === undefined)
        return context.skip('no rename that keeps identity');
      const target = await bench.made();
      const uid = uidOf(await bench.askOne(target));
      const to = sibling(target.path, 'renamed');
      await rename(target, to);
      expect(await bench.askOne(target)).toMatchObject({ answer: 'absent' });
      const located = await bench.source.identify([uid], never);
      expect(located).toEqual([{ uid, path: to, found: bench.world.makers[0].found }]);
    });

    test('a renamed container is found by its identity, and takes its contents along', async (context) => {
      const { rename, container } = bench.world;
      if (rename === undefined || container === undefined) return context.skip('no rename of containers');
      const child = await bench.made();
      const parent: ProbeTarget = { kind: container.kind, path: [child.path[0]] };
      const [parentUid, childUid] = (await bench.ask(parent, child)).map(uidOf);
      const to: Path = freshPath();
      await rename(parent, to);
      const located = await bench.source.identify([childUid ?? '', parentUid ?? ''], never);
      expect(located).toHaveLength(2);
      expect(located).toContainEqual({ uid: parentUid, path: to, found: container.found });
      expect(located).toContainEqual({
        uid: childUid,
        path: [...to, ...child.path.slice(1)],
        found: bench.world.makers[0].found,
      });
    });

    test('asks about each identity once, and about nonsense not at all', async (context) => {
      if (!bench.source.traits.stableIdentity) return context.skip('this source has no identities');
      const uid = uidOf(await bench.askOne(await bench.made()));
      const asked = [uid, 'nonsense', uid, '', 'schema:99999999999', uid];
      expect((await bench.source.identify(asked, never)).map((place_) => place_.uid)).toEqual([uid]);
      expect(await bench.source.identify([], never)).toEqual([]);
    });
  });
}
