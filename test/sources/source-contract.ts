import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readControls } from '../../src/domain/controls.ts';
import { ReconcilerFailure } from '../../src/domain/failure.ts';
import type { Path } from '../../src/domain/path.ts';
import type { ProbeAnswer, ProbeTarget } from '../../src/domain/verdict.ts';
import type { ListedObject, Source } from '../../src/sources/source.ts';
import {
  closingPeer,
  cuttingProxy,
  httpPeer,
  type Peer,
  refusingPort,
  resettingPeer,
  silentPeer,
} from '../support/tcp-peers.ts';
import { until } from '../support/until.ts';
import type { Maker, SourceWorld } from './source-world.ts';

/** Beyond the adapter's own patience: what a busy machine may add. */
const slackMs = 5_000;
const never = new AbortController().signal;

/**
 * What every adapter of the port `Source` has to hold, run against a real system. Call it in a test file of its own;
 * `start` is called once, before the first test.
 */
export function sourceContract(name: string, start: () => Promise<SourceWorld>): void {
  describe(`source contract: ${name}`, () => {
    let world: SourceWorld;
    let source: Source;

    beforeAll(async () => {
      world = await start();
      source = world.open();
    });
    afterAll(async () => {
      await source.close();
      await world.close();
    });

    /** The path of an object that nobody else uses; its container is there. */
    async function place(label = randomUUID().slice(0, 8)): Promise<Path> {
      if (world.container === undefined) return [label];
      return [...(await freshContainer()), label];
    }

    async function freshContainer(): Promise<Path> {
      const path: Path = [`c-${randomUUID().slice(0, 8)}`];
      await world.container?.create(path);
      return path;
    }

    async function made(maker: Maker = world.makers[0]): Promise<ProbeTarget> {
      const target: ProbeTarget = { kind: maker.kind, path: await place() };
      await maker.create(target.path);
      return target;
    }

    const ask = async (...targets: readonly ProbeTarget[]): Promise<readonly ProbeAnswer[]> =>
      (await source.probe(targets, [], never)).answers;
    const askOne = async (target: ProbeTarget): Promise<ProbeAnswer> => only(await ask(target));

    describe('present', () => {
      test('finds every kind that it can hold, as what it is', async () => {
        for (const maker of allMakers(world)) {
          const path = maker === world.container ? ([`c-${randomUUID().slice(0, 8)}`] as const) : await place();
          await maker.create(path);
          const answer = await askOne({ kind: maker.kind, path });
          expect(answer, `${maker.found}`).toMatchObject({ answer: 'present', found: maker.found });
          expect('uid' in answer).toBe(source.traits.stableIdentity);
        }
      });

      test('says what stands under the name, whatever kind was asked for', async () => {
        const [first, ...others] = world.makers;
        for (const other of others) {
          const { path } = await made(other);
          expect(await askOne({ kind: first.kind, path })).toMatchObject({ answer: 'present', found: other.found });
        }
      });

      test('the identity stays the same from one question to the next', async () => {
        const target = await made();
        expect(await askOne(target)).toEqual(await askOne(target));
      });
    });

    describe('absent', () => {
      test('an object that never was', async () => {
        const path = await place();
        for (const { kind } of world.makers) expect(await askOne({ kind, path })).toMatchObject({ answer: 'absent' });
      });

      test('an object that was dropped', async () => {
        const target = await made();
        await world.drop(target);
        expect(await askOne(target)).toMatchObject({ answer: 'absent' });
      });

      test('a container that is missing is absent, and what would be in it has an absent parent', async (context) => {
        if (world.container === undefined) return context.skip('this source has no containers');
        const path: Path = [`c-${randomUUID().slice(0, 8)}`];
        const [container, child] = await ask(
          { kind: world.container.kind, path },
          { kind: world.makers[0].kind, path: [...path, 'child'] },
        );
        expect(container).toMatchObject({ answer: 'absent' });
        expect(child).toMatchObject({ answer: 'parent-absent' });
      });

      test('B17 of two objects with one name only the missing one is absent', async (context) => {
        if (world.container === undefined) return context.skip('this source has no containers');
        const [maker] = world.makers;
        const [left, right] = [await freshContainer(), await freshContainer()];
        const targets = [left, right].map((path): ProbeTarget => ({ kind: maker.kind, path: [...path, 'orders'] }));
        for (const { path } of targets) await maker.create(path);
        await world.drop(first(targets));
        expect((await ask(...targets)).map(({ answer }) => answer)).toEqual(['absent', 'present']);
      });
    });

    describe('identity', () => {
      test('B41 an object that was dropped and made again is another one', async (context) => {
        if (!source.traits.stableIdentity) return context.skip('this source has no identities');
        const [maker] = world.makers;
        const target = await made(maker);
        const before = uidOf(await askOne(target));
        await world.drop(target);
        await maker.create(target.path);
        expect(uidOf(await askOne(target))).not.toBe(before);
        expect(await source.identify([before], never)).toEqual([]);
      });

      test('an object that another kind took the place of is present as that kind, with another identity', async (context) => {
        const [maker, ...others] = world.makers;
        if (others.length === 0) return context.skip('this source has one kind only');
        for (const other of others) {
          const target = await made(maker);
          const before = uidOf(await askOne(target));
          await world.drop(target);
          await other.create(target.path);
          const after = await askOne(target);
          expect(after).toMatchObject({ answer: 'present', found: other.found });
          if (source.traits.stableIdentity) expect(uidOf(after)).not.toBe(before);
        }
      });

      test('B37 a renamed object is absent under its old name and found by its identity', async (context) => {
        const { rename } = world;
        if (!source.traits.stableIdentity || rename === undefined) return context.skip('no rename that keeps identity');
        const target = await made();
        const uid = uidOf(await askOne(target));
        const to = sibling(target.path, 'renamed');
        await rename(target, to);
        expect(await askOne(target)).toMatchObject({ answer: 'absent' });
        const located = await source.identify([uid], never);
        expect(located).toEqual([{ uid, path: to, found: world.makers[0].found }]);
      });

      test('a renamed container is found by its identity, and takes its contents along', async (context) => {
        const { rename, container } = world;
        if (rename === undefined || container === undefined) return context.skip('no rename of containers');
        const child = await made();
        const parent: ProbeTarget = { kind: container.kind, path: [child.path[0]] };
        const [parentUid, childUid] = (await ask(parent, child)).map(uidOf);
        const to: Path = [`c-${randomUUID().slice(0, 8)}`];
        await rename(parent, to);
        const located = await source.identify([childUid ?? '', parentUid ?? ''], never);
        expect(located).toHaveLength(2);
        expect(located).toContainEqual({ uid: parentUid, path: to, found: container.found });
        expect(located).toContainEqual({
          uid: childUid,
          path: [...to, ...child.path.slice(1)],
          found: world.makers[0].found,
        });
      });

      test('asks about each identity once, and about nonsense not at all', async (context) => {
        if (!source.traits.stableIdentity) return context.skip('this source has no identities');
        const uid = uidOf(await askOne(await made()));
        const asked = [uid, 'nonsense', uid, '', 'schema:99999999999', uid];
        expect((await source.identify(asked, never)).map((place_) => place_.uid)).toEqual([uid]);
        expect(await source.identify([], never)).toEqual([]);
      });
    });

    describe('batches', () => {
      test('B05 as many answers as questions, in their order, repeated questions included', async () => {
        const [maker] = world.makers;
        const there = await made(maker);
        const gone: ProbeTarget = { kind: maker.kind, path: sibling(there.path, 'gone') };
        const targets = Array.from({ length: 199 }, (_, index) => (index % 3 === 0 ? there : gone));
        const answers = await ask(...targets);
        expect(answers.map(({ answer }) => answer)).toEqual(
          targets.map((target) => (target === there ? 'present' : 'absent')),
        );
      });

      test('a whole batch and not one more', async () => {
        const { batchSize } = source.traits;
        const path = await place();
        const target: ProbeTarget = { kind: world.makers[0].kind, path };
        expect(await ask(...Array.from({ length: batchSize }, () => target))).toHaveLength(batchSize);
        const tooMany = Array.from({ length: batchSize + 1 }, () => target);
        await expect(source.probe(tooMany, [], never)).rejects.toMatchObject({ type: 'InvalidRequest' });
      });

      test('no target, no answer', async () => {
        expect(await ask()).toEqual([]);
      });

      test('questions that are asked at the same time get their own answers', async () => {
        const there = await made();
        const gone: ProbeTarget = { ...there, path: sibling(there.path, 'gone') };
        const asked = Array.from({ length: 24 }, (_, index) => (index % 2 === 0 ? there : gone));
        const answers = await Promise.all(asked.map(askOne));
        expect(answers.map(({ answer }) => answer)).toEqual(
          asked.map((target) => (target === there ? 'present' : 'absent')),
        );
      });
    });

    describe('controls', () => {
      test('come with every probe and are right', async () => {
        const known = [await made(), await made()];
        const gone: ProbeTarget = { ...first(known), path: sibling(first(known).path, 'gone') };
        const { controls, asked } = await source.probe([], known, never);
        expect(readControls(controls)).toBe('trusted');
        expect(controls.known.map(({ answer }) => answer)).toEqual(['present', 'present']);
        expect(asked.strength).toBe('conclusive');
        const { controls: withGone } = await source.probe([], [...known, gone], never);
        expect(withGone.known.map(({ answer }) => answer)).toEqual(['present', 'present', 'absent']);
      });

      test('without a known object nothing is proven', async () => {
        expect(readControls((await source.probe([], [], never)).controls)).toBe('no-known');
      });

      test('all known objects gone is told as it is, for a person to look at', async () => {
        const gone: ProbeTarget = { kind: world.makers[0].kind, path: await place() };
        expect(readControls((await source.probe([], [gone], never)).controls)).toBe('controls-absent');
      });

      test('the check says who answered, for whom, and the same each time', async () => {
        const known = [await made()];
        const check = await source.check(known, never);
        expect(readControls(check.controls)).toBe('trusted');
        expect(check.fingerprint).not.toBe('');
        expect(check.principal).not.toBe('');
        const again = world.open();
        onTestFinished(() => again.close());
        const batch = await again.probe([], known, never);
        expect([batch.fingerprint, batch.principal]).toEqual([check.fingerprint, check.principal]);
      });
    });

    describe('names', () => {
      test('B32 B35 any name that can be made is found, and exactly those that were made', async () => {
        const [maker] = world.makers;
        const lists = fc.uniqueArray(world.names, { minLength: 2, maxLength: 8 });
        await fc.assert(
          fc.asyncProperty(lists, fc.infiniteStream(fc.boolean()), async (names, coins) => {
            const base = world.container === undefined ? [] : await freshContainer();
            const targets = names.map((label) => ({ kind: maker.kind, path: [...base, label] as unknown as Path }));
            const there = targets.map(() => coins.next().value === true);
            for (const [index, { path }] of targets.entries()) if (there[index]) await maker.create(path);
            const answers = await ask(...targets);
            expect(answers.map(({ answer }) => answer)).toEqual(there.map((made_) => (made_ ? 'present' : 'absent')));
          }),
          { numRuns: 25 },
        );
      });

      test('names that look alike are told apart', async () => {
        const [maker] = world.makers;
        for (const [left, right] of world.twins) {
          const path = await place(left);
          await maker.create(path);
          const twin = sibling(path, right);
          const answers = await ask({ kind: maker.kind, path }, { kind: maker.kind, path: twin });
          expect(
            answers.map(({ answer }) => answer),
            `${left} and ${right}`,
          ).toEqual(['present', 'absent']);
        }
      });

      test('a name that cannot be asked about is unknown, and disturbs no other', async () => {
        const there = await made();
        for (const { target, code } of world.doubtful) {
          const answers = await ask(there, target, there);
          expect(answers[1], JSON.stringify(target)).toEqual({ answer: 'unknown', code });
          expect([answers[0]?.answer, answers[2]?.answer]).toEqual(['present', 'present']);
        }
        const all = world.doubtful.map(({ target }) => target);
        expect((await ask(...all)).map(({ answer }) => answer)).toEqual(all.map(() => 'unknown'));
      });
    });

    describe('listing', () => {
      test('lists what is there, each once, containers before their contents', async () => {
        const expected: Path[] = [];
        for (const maker of world.makers) expected.push((await made(maker)).path);
        const seen = await collect(source.list(never));
        const texts = seen.map(({ path }) => JSON.stringify(path));
        expect(new Set(texts).size).toBe(texts.length);
        for (const path of expected) {
          const at = texts.indexOf(JSON.stringify(path));
          expect(at, JSON.stringify(path)).toBeGreaterThanOrEqual(0);
          if (world.container === undefined) continue;
          expect(texts.indexOf(JSON.stringify(path.slice(0, -1)))).toBeLessThan(at);
        }
        for (const listed of seen.slice(0, 20)) {
          const kind = listed.path.length === 1 && world.container ? world.container.kind : world.makers[0].kind;
          const answer = await askOne({ kind, path: listed.path });
          expect(answer).toMatchObject({ answer: 'present', found: listed.found });
          if (listed.uid !== undefined) expect(uidOf(answer)).toBe(listed.uid);
        }
      });

      test('B28 B29 a source that fails in the middle fails the listing, it never shortens it', async (context) => {
        if (world.breakDown === undefined) return context.skip('this system cannot be stopped');
        await made();
        const reader = source.list(never)[Symbol.asyncIterator]();
        expect((await reader.next()).done).toBe(false);
        const mend = await world.breakDown();
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

    describe('a source that cannot be reached', () => {
      const peers: readonly (readonly [string, () => Promise<Peer>])[] = [
        ['accepts and is silent', silentPeer],
        ['hangs up', closingPeer],
        ['resets the connection', resettingPeer],
        ['speaks HTTP', httpPeer],
      ];
      test.each(peers)('B11 a peer that %s is unreachable, in time, and no socket stays', async (_what, start_) => {
        const peer = await start_();
        onTestFinished(() => peer.close());
        await expectUnreachable(world, peer.port, ['SourceUnreachable']);
        expect(peer.accepted()).toBeGreaterThan(0);
        await until('no connection is left', slackMs, () => peer.open() === 0);
      });

      test('B01 a refused connection is unreachable, and nothing is absent', async () => {
        await expectUnreachable(world, await refusingPort(), ['SourceUnreachable']);
      });

      test('B01 B02 a source that stops answers nothing, and everything again when it is back', async (context) => {
        if (world.breakDown === undefined) return context.skip('this system cannot be stopped');
        const target = await made();
        const mend = await world.breakDown();
        try {
          const failure = await caught(source.probe([target], [], never));
          expect(['SourceUnreachable', 'SourceUnavailable']).toContain(failure.type);
        } finally {
          await mend();
        }
        await until('the source answers again', slackMs, async () => {
          const back = await source.probe([target], [], never).catch(() => undefined);
          return back?.answers[0]?.answer === 'present';
        });
      });

      test('B05 B31 a connection cut at any byte gives the whole truth or a failure', async () => {
        const there = await made();
        const gone: ProbeTarget = { ...there, path: sibling(there.path, 'gone') };
        const targets = [there, gone, there, gone];
        const truth = (await ask(...targets)).map(({ answer }) => answer);
        let bytes = 1;
        let whole = false;
        for (; !whole && bytes < 64_000; bytes = Math.ceil(bytes * 1.12) + 1) {
          const proxy = await cuttingProxy(world.port, bytes);
          const cut = world.openAt(proxy.port);
          try {
            const { answers } = await cut.probe(targets, [there], never);
            expect(answers.map(({ answer }) => answer)).toEqual(truth);
            whole = true;
          } catch (error) {
            if (!(error instanceof ReconcilerFailure)) throw error;
            expect(['SourceUnreachable', 'SourceUnavailable']).toContain(error.type);
          } finally {
            await cut.close();
            await proxy.close();
          }
        }
        expect(whole, 'the last cut came after the whole answer').toBe(true);
      });
    });

    describe('cancellation', () => {
      test('a call that is cancelled beforehand opens nothing', async () => {
        const peer = await silentPeer();
        onTestFinished(() => peer.close());
        const cancelled = world.openAt(peer.port);
        onTestFinished(() => cancelled.close());
        const reason = new Error('cancelled beforehand');
        await expect(cancelled.check([], AbortSignal.abort(reason))).rejects.toBe(reason);
        expect(peer.accepted()).toBe(0);
      });

      test('a call that is cancelled ends at once and leaves no socket', async () => {
        const peer = await silentPeer();
        onTestFinished(() => peer.close());
        const cancelled = world.openAt(peer.port);
        onTestFinished(() => cancelled.close());
        const controller = new AbortController();
        const target: ProbeTarget = { kind: world.makers[0].kind, path: ['a', 'b'] };
        const calls = Array.from({ length: 9 }, () => cancelled.probe([target], [], controller.signal));
        const outcomes = Promise.allSettled(calls);
        await until('a connection is open', slackMs, () => peer.open() > 0);
        const reason = new Error('cancelled in the middle');
        controller.abort(reason);
        for (const outcome of await outcomes) expect(outcome).toEqual({ status: 'rejected', reason });
        await until('no connection is left', slackMs, () => peer.open() === 0);
      });

      test('a source answers the next question after a cancelled one', async () => {
        const target = await made();
        for (let turn = 0; turn < 5; turn += 1) {
          const controller = new AbortController();
          const asked = source.probe([target], [], controller.signal).catch(() => undefined);
          setImmediate(() => controller.abort());
          await asked;
          expect(await askOne(target)).toMatchObject({ answer: 'present' });
        }
      });

      test('nothing is answered after closing', async () => {
        const closed = world.open();
        await closed.check([], never);
        await closed.close();
        await closed.close();
        await expect(closed.check([], never)).rejects.toMatchObject({ type: 'SourceUnavailable' });
      });
    });
  });
}

async function expectUnreachable(world: SourceWorld, port: number, types: readonly string[]): Promise<void> {
  const source = world.openAt(port);
  try {
    const target: ProbeTarget = { kind: world.makers[0].kind, path: ['a', 'b'] };
    const started = performance.now();
    const failures = await Promise.all([
      caught(source.check([], never)),
      caught(source.probe([target], [], never)),
      caught(collect(source.list(never))),
    ]);
    expect(performance.now() - started).toBeLessThan(world.patienceMs + slackMs);
    for (const failure of failures) {
      expect(types).toContain(failure.type);
      expect(failure.message).toContain(String(port));
      if (world.secret !== undefined) expect(`${failure.message} ${failure.stack}`).not.toContain(world.secret);
    }
  } finally {
    await source.close();
  }
}

/** The failure that a promise ends with; anything else fails the test. */
export async function caught(promise: Promise<unknown>): Promise<ReconcilerFailure> {
  const outcome = await promise.then(
    (value: unknown) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('error' in outcome && outcome.error instanceof ReconcilerFailure) return outcome.error;
  throw new Error('expected a ReconcilerFailure', { cause: 'error' in outcome ? outcome.error : outcome.value });
}

async function collect(list: AsyncIterable<ListedObject>): Promise<ListedObject[]> {
  const all: ListedObject[] = [];
  for await (const item of list) all.push(item);
  return all;
}

function allMakers(world: SourceWorld): readonly Maker[] {
  return world.container === undefined ? world.makers : [...world.makers, world.container];
}

function sibling(path: Path, label: string): Path {
  return [...path.slice(0, -1), label] as unknown as Path;
}

function uidOf(answer: ProbeAnswer): string {
  if (answer.answer === 'present' && answer.uid !== undefined) return answer.uid;
  throw new Error(`an identity was expected, not ${JSON.stringify(answer)}`);
}

function first<T>(list: readonly T[]): T {
  const [item] = list;
  if (item === undefined) throw new RangeError('the list is empty');
  return item;
}

function only<T>(list: readonly T[]): T {
  expect(list).toHaveLength(1);
  return first(list);
}
