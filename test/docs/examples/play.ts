import { setTimeout as wait } from 'node:timers/promises';
import { type Fence, fencesOf, withBodies } from './fences.ts';
import type { Job, Ran } from './shell.ts';
import { openStage, type Stage } from './stage.ts';
import { type Exchange, exchangesIn, transcriptOf } from './transcript.ts';
import { comparable } from './varying.ts';

/** Until what a block waits for has come: a removal at its pace, on a busy machine. */
const untilMs = 60_000;

/** A block whose examples are not as the page shows them. */
export interface Stale {
  readonly line: number;
  readonly shown: string;
  readonly seen: string;
}

export interface Played {
  /** The page with what was seen in place of what is stale. */
  readonly page: string;
  readonly stale: readonly Stale[];
  /** Commands that did not end as the page says, whatever they printed. */
  readonly failures: readonly string[];
}

/**
 * Does what a page tells its reader to do, from top to bottom, on a server of its own:
 *
 * - a block with `file=NAME` is written to that file;
 * - `console` is run command by command, and what comes out is compared with what the page shows. With `exit=1` the last
 *   command ends with that code; with `until="text"` it is repeated until its output has the text; with `starts="text"` it
 *   goes on in the background once it has said the text; with `stops`, what was started gets Ctrl-C before.
 *
 * Everything else is for reading.
 */
export async function play(page: string): Promise<Played> {
  const stage = await openStage();
  try {
    const bodies = new Map<Fence, string>();
    const stale: Stale[] = [];
    const failures: string[] = [];
    const jobs: Job[] = [];
    for (const fence of fencesOf(page)) {
      const file = fence.options.get('file');
      if (file !== undefined) await stage.write(file, stage.standIns.toReal(`${fence.body}\n`));
      if (fence.language !== 'console') continue;
      const shown = exchangesIn(fence.body);
      const seen = await perform(stage, fence, shown, { jobs, failures });
      if (comparable(transcriptOf(seen)) === comparable(transcriptOf(shown))) continue;
      stale.push({ line: fence.line, shown: fence.body, seen: transcriptOf(seen) });
      bodies.set(fence, transcriptOf(seen));
    }
    return { page: withBodies(page, bodies), stale, failures };
  } finally {
    await stage.close();
  }
}

/** What a page leaves behind it while it is played. */
interface Going {
  readonly jobs: Job[];
  readonly failures: string[];
}

async function perform(
  stage: Stage,
  fence: Fence,
  shown: readonly Exchange[],
  { jobs, failures }: Going,
): Promise<Exchange[]> {
  const { shell, standIns } = stage;
  const { options, line } = fence;
  const seen: Exchange[] = [];
  for (const [index, { command }] of shown.entries()) {
    const last = index === shown.length - 1;
    const real = standIns.toReal(command);
    const starts = options.get('starts');
    if (last && starts !== undefined) {
      const job = await shell.start(real, standIns.toReal(starts));
      jobs.push(job);
      seen.push({ command, output: standIns.toDoc(spoken(command, await job.output())) });
      continue;
    }
    if (options.has('stops')) await jobs.pop()?.interrupt();
    const wanted = last ? options.get('until') : undefined;
    const ran =
      wanted === undefined
        ? await shell.run(real)
        : await repeated(() => shell.run(real), wanted, standIns.toDoc.bind(standIns));
    const code = last ? Number(options.get('exit') ?? 0) : 0;
    if (ran.code !== code) {
      failures.push(`line ${line}: "${command}" ended with ${ran.code} instead of ${code}: ${ran.output}`);
    }
    seen.push({ command, output: standIns.toDoc(spoken(command, ran.output)) });
  }
  return seen;
}

async function repeated(run: () => Promise<Ran>, wanted: string, toDoc: (text: string) => string): Promise<Ran> {
  const deadline = performance.now() + untilMs;
  for (;;) {
    const ran = await run();
    if (toDoc(ran.output).includes(wanted) || performance.now() > deadline) return ran;
    await wait(200);
  }
}

/** How far a round is: a line each phase where nobody watches, a bar that vanishes on a terminal. */
const progress = /^(?:[a-z-]+|waiting for a worker)(?:: \d+ of \d+ probed.*)?$/;

/** Without what a terminal shows for a moment only, and what npm says of itself. */
function spoken(command: string, output: string): string {
  const passing = /catalog-reconciler reconcile\b/.test(command) ? progress : /^> .*$/;
  return output
    .split('\n')
    .filter((line) => !passing.test(line))
    .join('\n')
    .replace(/^\n+/, '')
    .trimEnd();
}
