import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { ReconcilerFailure } from '../../../src/domain/failure.ts';
import type { Path } from '../../../src/domain/path.ts';
import type { ProbeAnswer, ProbeTarget } from '../../../src/domain/verdict.ts';
import type { ListedObject, Source } from '../../../src/sources/source.ts';
import type { Maker, SourceWorld } from '../source-world.ts';

/** Beyond the adapter's own patience: what a busy machine may add. */
export const slackMs = 5_000;
export const never = new AbortController().signal;

/** The adapter under test beside the world that it looks at. */
export class Bench {
  #open: { readonly world: SourceWorld; readonly source: Source } | undefined;

  async start(start: () => Promise<SourceWorld>): Promise<void> {
    const world = await start();
    this.#open = { world, source: world.open() };
  }

  async close(): Promise<void> {
    await this.#open?.source.close();
    await this.#open?.world.close();
  }

  get world(): SourceWorld {
    return this.#running().world;
  }

  get source(): Source {
    return this.#running().source;
  }

  #running(): { readonly world: SourceWorld; readonly source: Source } {
    if (this.#open === undefined) throw new Error('the world was not started');
    return this.#open;
  }

  /** The path of an object that nobody else uses; its container is there. */
  async place(label = randomUUID().slice(0, 8)): Promise<Path> {
    return [...(await this.freshRoom()), label] as unknown as Path;
  }

  async freshRoom(): Promise<readonly string[]> {
    if (this.world.container !== undefined) return this.freshContainer();
    return (await this.world.room?.()) ?? [];
  }

  async freshContainer(): Promise<Path> {
    const path = freshPath();
    await this.world.container?.create(path);
    return path;
  }

  /** An object of its own for one test. */
  async made(maker: Maker = this.world.makers[0]): Promise<ProbeTarget> {
    const target: ProbeTarget = { kind: maker.kind, path: await this.place() };
    await maker.create(target.path);
    return target;
  }

  readonly ask = async (...targets: readonly ProbeTarget[]): Promise<readonly ProbeAnswer[]> =>
    (await this.source.probe(targets, [], never)).answers;

  readonly askOne = async (target: ProbeTarget): Promise<ProbeAnswer> => {
    const answers = await this.ask(target);
    expect(answers).toHaveLength(1);
    return first(answers);
  };
}

/** Where nothing is yet. */
export function freshPath(): Path {
  return [`c-${randomUUID().slice(0, 8)}`];
}

export function allMakers(world: SourceWorld): readonly Maker[] {
  return world.container === undefined ? world.makers : [...world.makers, world.container];
}

export function sibling(path: Path, label: string): Path {
  return [...path.slice(0, -1), label] as unknown as Path;
}

export function uidOf(answer: ProbeAnswer): string {
  if (answer.answer === 'present' && answer.uid !== undefined) return answer.uid;
  throw new Error(`an identity was expected, not ${JSON.stringify(answer)}`);
}

export function first<T>(list: readonly T[]): T {
  const [item] = list;
  if (item === undefined) throw new RangeError('the list is empty');
  return item;
}

export async function collect(list: AsyncIterable<ListedObject>): Promise<ListedObject[]> {
  const all: ListedObject[] = [];
  for await (const item of list) all.push(item);
  return all;
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
