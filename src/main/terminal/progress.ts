import { type Options, Presets, SingleBar } from 'cli-progress';
import type { Terminal } from './terminal.ts';

/** Shows how far something is. */
export interface Progress {
  step(phase: string, done: number, total: number): void;
  end(): void;
}

const barOptions: Options = {
  format: '{bar} {percentage}% | {value} of {total} probed{pace} | {phase}',
  clearOnComplete: true,
  // a terminal left without a cursor after Ctrl-C is worse than a blinking one
  hideCursor: false,
  // with counts of a million the line still fits 80 columns
  barsize: 12,
};

/** A bar where a person watches, otherwise a line for each new phase and each further tenth. */
export function openProgress(terminal: Terminal, now: () => number = () => performance.now()): Progress {
  return terminal.screen === undefined ? lines(terminal) : bar(terminal.screen, now);
}

function lines(terminal: Terminal): Progress {
  let last = '';
  let tenths = 0;
  return {
    step(phase, done, total) {
      const reached = total === 0 ? 0 : Math.floor((done * 10) / total);
      if (phase === last && reached <= tenths) return;
      last = phase;
      tenths = reached;
      terminal.tell(total === 0 ? phase : `${phase}: ${done} of ${total} probed`);
    },
    end: () => undefined,
  };
}

function bar(stream: NonNullable<Terminal['screen']>, now: () => number): Progress {
  // the first sight of a phase: what was done before is not its pace
  let first: { readonly phase: string; readonly done: number; readonly at: number } | undefined;
  const pace = (phase: string, done: number, total: number): string => {
    if (first?.phase !== phase) first = { phase, done, at: now() };
    const seconds = (now() - first.at) / 1_000;
    const rate = seconds < 1 ? 0 : (done - first.done) / seconds;
    if (rate <= 0 || done >= total) return '';
    return `, ${rate < 10 ? rate.toFixed(1) : rate.toFixed(0)}/s, ${span((total - done) / rate)} left`;
  };
  const drawn = new SingleBar({ ...barOptions, stream: stream as NodeJS.WritableStream }, Presets.shades_classic);
  let started = false;
  return {
    step(phase, done, total) {
      if (!started) drawn.start(total, done, { phase, pace: '' });
      started = true;
      drawn.setTotal(total);
      drawn.update(done, { phase, pace: pace(phase, done, total) });
    },
    end() {
      if (started) drawn.stop();
    },
  };
}

/** Two parts of a time are enough to wait by: `1 h 20 min`. */
function span(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`;
}
