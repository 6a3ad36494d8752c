/** Options of the commands that are processes of their own. */
export interface StartOptions {
  /** The configuration file; where not given, `RECONCILER_CONFIG` or none. */
  readonly config?: string;
  /** Replaces the configuration's `dataDir`. */
  readonly dataDir?: string;
}

export interface ApiProcessOptions extends StartOptions {
  /** Replaces the configuration's `server.port`. */
  readonly port?: number;
}

export interface UpOptions extends ApiProcessOptions {
  /** False for `--no-demo`. */
  readonly demo: boolean;
}

export interface SchedulesOptions extends StartOptions {
  readonly action: 'apply' | 'show';
  readonly json: boolean;
}
