import { type Options, Presets, SingleBar } from 'cli-progress';
import type { Terminal } from './terminal.ts';

/** Shows how far something is. */
export interface Progress {
  step(phase: string, done: number, total: number): void;
  end(): void;
}

const barOptions: Options = {
  format: '{bar} {percentage}% | {value} of {total} probed | {phase}',
  clearOnComplete: true,
  // a terminal left without a cursor after Ctrl-C is worse than a blinking one
  hideCursor: false,
  barsize: 24,
};

/** A bar where a person watches, otherwise one line for each new phase. */
export function openProgress(terminal: Terminal): Progress {
  return terminal.screen === undefined ? lines(terminal) : bar(terminal.screen);
}

function lines(terminal: Terminal): Progress {
  let last = '';
  return {
    step(phase, done, total) {
      if (phase === last) return;
      last = phase;
      terminal.tell(total === 0 ? phase : `${phase}: ${done} of ${total} probed`);
    },
    end: () => undefined,
  };
}

function bar(stream: NonNullable<Terminal['screen']>): Progress {
  const drawn = new SingleBar({ ...barOptions, stream: stream as NodeJS.WritableStream }, Presets.shades_classic);
  let started = false;
  return {
    step(phase, done, total) {
      if (!started) drawn.start(total, done, { phase });
      started = true;
      drawn.setTotal(total);
      drawn.update(done, { phase });
    },
    end() {
      if (started) drawn.stop();
    },
  };
}
