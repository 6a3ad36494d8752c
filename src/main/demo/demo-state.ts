import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';

/**
 * How far the demo has come. Each stage is noted after its work is done, so that a start that was cut short repeats
 * that work and nothing before it.
 */
export const demoStages = ['new', 'seeded', 'baseline-round', 'drifted', 'rounds-done'] as const;
export type DemoStage = (typeof demoStages)[number];

const DemoState = z.strictObject({
  version: z.literal(1),
  stage: z.enum(demoStages),
  /** Where the sources live; the demo cannot move, since its catalogs are judged by who answers. */
  place: z.string().exactOptional(),
  /** Ports by catalog. A catalog's connection is part of its epoch, so a later start asks for the same ones. */
  ports: z.record(z.string(), z.int()),
});
export type DemoState = z.infer<typeof DemoState>;

const fresh: DemoState = { version: 1, stage: 'new', ports: {} };

/** What the demo remembers from one start to the next, in one small file of the data folder. */
export class DemoStateFile {
  readonly #file: string;
  #state: DemoState;

  private constructor(file: string, state: DemoState) {
    this.#file = file;
    this.#state = state;
  }

  static async open(dataDir: string): Promise<DemoStateFile> {
    const file = join(demoFolder(dataDir), 'state.json');
    await mkdir(dirname(file), { recursive: true });
    return new DemoStateFile(file, (await stateIn(file)) ?? fresh);
  }

  get state(): DemoState {
    return this.#state;
  }

  /** Whether the demo has come that far. */
  has(stage: DemoStage): boolean {
    return demoStages.indexOf(this.#state.stage) >= demoStages.indexOf(stage);
  }

  async reach(stage: DemoStage): Promise<void> {
    await this.#write({ ...this.#state, stage });
  }

  async settle(where: Required<Pick<DemoState, 'place' | 'ports'>>): Promise<void> {
    await this.#write({ ...this.#state, ...where });
  }

  async #write(state: DemoState): Promise<void> {
    // Written beside and moved into place, so that a kill leaves the old state or the new one, never half of one.
    const draft = `${this.#file}.draft`;
    const handle = await open(draft, 'w');
    try {
      await handle.writeFile(`${JSON.stringify(state, undefined, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, this.#file);
    this.#state = state;
  }
}

/** Everything of the demo that lies in the data folder. */
export function demoFolder(dataDir: string): string {
  return join(dataDir, 'demo');
}

async function stateIn(file: string): Promise<DemoState | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  const read = DemoState.safeParse(parsed(text));
  if (read.success) return read.data;
  throw new Error(`${file} is not a state of this demo. Start with another --data-dir, or with --no-demo.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
