import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../../support/until.ts';

/** A round, or the start of a process, on a busy machine. */
const patienceMs = 120_000;

/** A process that goes on while the next commands run. */
export interface Job {
  output(): Promise<string>;
  /** Ctrl-C; answers what it said since its start. */
  interrupt(): Promise<string>;
}

export interface Ran {
  readonly output: string;
  readonly code: number;
}

/** One shell for all commands of a page, as a reader has one: variables and the folder stay from one to the next. */
export class Shell {
  readonly #bash: ChildProcess;
  readonly #folder: string;
  readonly #jobs: number[] = [];
  #written = '';
  #count = 0;

  constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.#folder = folder;
    this.#bash = spawn('bash', ['--norc', '--noprofile'], {
      cwd: folder,
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#bash.stdout?.on('data', (data: Buffer) => (this.#written += data.toString()));
    // job control gives each job a process group of its own, which Ctrl-C reaches whole
    this.#bash.stdin?.write('set -m\n');
  }

  /** Runs a command to its end; both of its streams come in the order in which they were written. */
  async run(command: string): Promise<Ran> {
    const file = join(this.#folder, `.output-${++this.#count}`);
    // a file, not a pipe: a job that is left behind must not keep the end from being seen
    const code = await this.#answer(`{ ${command}\n} >'${file}' 2>&1 </dev/null`, '$?');
    return { output: (await readFile(file, 'utf8')).trimEnd(), code: Number(code) };
  }

  /** Starts a command in the background and waits until it has said something. */
  async start(command: string, says: string): Promise<Job> {
    const file = join(this.#folder, `.output-${++this.#count}`);
    const pid = Number(await this.#answer(`${command} >'${file}' 2>&1 </dev/null &`, '$!'));
    this.#jobs.push(pid);
    // a run that is interrupted closes nothing; what it started must not stay behind
    process.once('exit', () => lives(pid) && process.kill(-pid, 'SIGINT'));
    const output = async () => (await readFile(file, 'utf8')).trimEnd();
    await until(`${command} says ${says}`, patienceMs, async () => (await output()).includes(says) || !lives(pid), 100);
    if (!(await output()).includes(says))
      throw new Error(`${command} ended and never said ${says}:\n${await output()}`);
    return {
      output,
      interrupt: async () => {
        process.kill(-pid, 'SIGINT');
        await until(`${command} ends`, patienceMs, () => !lives(pid), 100);
        return output();
      },
    };
  }

  /** Ends what was started, and the shell. */
  async close(): Promise<void> {
    for (const pid of this.#jobs) if (lives(pid)) process.kill(-pid, 'SIGINT');
    await until('what was started ends', patienceMs, () => !this.#jobs.some(lives), 100);
    this.#bash.stdin?.end();
  }

  async #answer(command: string, value: string): Promise<string> {
    const before = this.#written.length;
    this.#bash.stdin?.write(`${command}\necho "<${value}>"\n`);
    const answer = () => /<(\d+)>\n$/.exec(this.#written.slice(before))?.[1];
    await until(
      `the shell has run: ${command}`,
      patienceMs,
      () => answer() !== undefined || this.#bash.exitCode !== null,
    );
    return answer() ?? '1';
  }
}

/** Whether anything of a process group is left. */
function lives(leader: number): boolean {
  try {
    return process.kill(-leader, 0);
  } catch {
    return false;
  }
}
