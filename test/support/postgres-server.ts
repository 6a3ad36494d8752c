import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createWriteStream, rmSync } from 'node:fs';
import { appendFile, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import getPort from 'get-port';
import pg from 'pg';
import { postgresBinaries, type ServerAccount, serverAccount } from './postgres-binaries.ts';
import { until } from './until.ts';

const run = promisify(execFile);
const readyWithinMs = 60_000; // initdb's first start on a busy machine; recovery after kill -9 takes far less

/** How a server is told to go: wait for sessions, end them, or drop everything and recover at the next start. */
export type StopMode = 'smart' | 'fast' | 'immediate';
const stopSignal = { smart: 'SIGTERM', fast: 'SIGINT', immediate: 'SIGQUIT' } as const satisfies Record<
  StopMode,
  string
>;

/** A private PostgreSQL on loopback in a temporary folder. It ends with the process that started it. */
export class PostgresServer {
  readonly host = '127.0.0.1';
  readonly port: number;
  readonly password: string;
  readonly folder: string;
  readonly #bin: string;
  readonly #account: ServerAccount | undefined;
  #process: ChildProcess | undefined;

  private constructor(bin: string, account: ServerAccount | undefined, folder: string, port: number, password: string) {
    this.#bin = bin;
    this.#account = account;
    this.folder = folder;
    this.port = port;
    this.password = password;
  }

  /** @param settings lines of `postgresql.conf` */
  static async start(settings: Readonly<Record<string, string>> = {}): Promise<PostgresServer> {
    const server = await PostgresServer.#prepare();
    const pwfile = join(server.folder, 'pw');
    await writeFile(pwfile, server.password, { mode: 0o600 });
    await server.#own(pwfile);
    await server.#run('initdb', [
      `--pgdata=${server.dataFolder}`,
      '--username=postgres',
      '--auth=scram-sha-256',
      `--pwfile=${pwfile}`,
      '--encoding=UTF8',
      '--locale=C.UTF-8',
      '--no-sync',
    ]);
    await rm(pwfile);
    await server.configure({ ...server.#ownSettings(), ...settings });
    await server.start();
    return server;
  }

  /** A hot standby of a running server, which must allow it (`wal_level=replica` is the default). */
  static async standbyOf(primary: PostgresServer): Promise<PostgresServer> {
    const server = await PostgresServer.#prepare(primary.password);
    const conninfo = primary.url().replace(/\/postgres$/, '/');
    await server.#run('pg_basebackup', ['-D', server.dataFolder, '-d', conninfo, '-R', '-X', 'stream', '-c', 'fast']);
    await server.configure({ ...server.#ownSettings(), hot_standby: 'on' });
    await server.start();
    return server;
  }

  static async #prepare(password = 'secret-of-the-test'): Promise<PostgresServer> {
    const bin = await postgresBinaries();
    const account = await serverAccount();
    const folder = await mkdtemp(join(tmpdir(), 'catalog-reconciler-postgres-'));
    const server = new PostgresServer(bin, account, folder, await getPort({ host: '127.0.0.1' }), password);
    await mkdir(server.dataFolder, { mode: 0o700 });
    await server.#own(server.dataFolder);
    await server.#own(folder);
    return server;
  }

  get dataFolder(): string {
    return join(this.folder, 'data');
  }

  url(database = 'postgres', user = 'postgres', password = this.password): string {
    return `postgres://${user}:${password}@${this.host}:${this.port}/${database}`;
  }

  /** Adds settings; the last one of a name counts. They hold from the next start, or `pg_reload_conf()`. */
  async configure(settings: Readonly<Record<string, string>>): Promise<void> {
    const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`);
    await appendFile(join(this.dataFolder, 'postgresql.conf'), lines.join(''));
  }

  /** Starts it, or starts it again, and waits until it answers. */
  async start(): Promise<void> {
    await until(`PostgreSQL on port ${this.port} answers`, readyWithinMs, async () => {
      // After kill -9 the old backends need a moment to notice; until then a new server refuses to start.
      if (this.#process === undefined || this.#process.exitCode !== null || this.#process.signalCode !== null) {
        this.#process = this.#spawn();
      }
      return this.answers();
    });
  }

  /** Whether a superuser can run a statement now. */
  async answers(): Promise<boolean> {
    try {
      await this.sql('SELECT 1');
      return true;
    } catch {
      return false;
    }
  }

  async stop(mode: StopMode = 'fast'): Promise<void> {
    await this.#end(stopSignal[mode]);
  }

  /** As at a power cut: the postmaster gets no chance, its children notice afterwards. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Sends the signal and does not wait. */
  signal(signal: NodeJS.Signals): void {
    this.#process?.kill(signal);
  }

  /** One or more statements as superuser, on a connection of their own. */
  async sql(text: string, database = 'postgres'): Promise<Record<string, unknown>[]> {
    return this.session(database, async (client) => (await client.query<Record<string, unknown>>(text)).rows);
  }

  /** Work as superuser on one connection, which is closed afterwards. */
  async session<T>(database: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: this.url(database), ssl: false, connectionTimeoutMillis: 5_000 });
    client.on('error', () => {}); // a server that is stopped under an open session; the statement reports it
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  /** What the server itself wrote. */
  log(): Promise<string> {
    return readFile(join(this.folder, 'server.log'), 'utf8');
  }

  /** Ends it and removes its folder. */
  async close(): Promise<void> {
    await this.#end('SIGQUIT');
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #ownSettings(): Record<string, string> {
    return {
      listen_addresses: this.host,
      port: String(this.port),
      unix_socket_directories: this.folder,
      fsync: 'off', // a power cut of the machine is not what is tested
    };
  }

  #spawn(): ChildProcess {
    const child = spawn(join(this.#bin, 'postgres'), ['-D', this.dataFolder], {
      ...this.#account,
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const log = createWriteStream(join(this.folder, 'server.log'), { flags: 'a' });
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    // a run that is interrupted closes nothing; what it started must not stay behind
    const endWithUs = () => {
      child.kill('SIGQUIT');
      rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    };
    process.once('exit', endWithUs);
    child.once('close', () => {
      process.removeListener('exit', endWithUs);
      log.end();
    });
    return child;
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill(signal);
    await ended;
  }

  async #run(program: string, args: readonly string[]): Promise<void> {
    await run(join(this.#bin, program), args, { ...this.#account, cwd: this.folder });
  }

  async #own(path: string): Promise<void> {
    if (this.#account !== undefined) await chown(path, this.#account.uid, this.#account.gid);
  }
}
