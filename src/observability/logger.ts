import { pino, type Logger, stdTimeFunctions } from 'pino';

export type { Logger } from 'pino';

export interface LoggerOptions {
  readonly level: string;
  /** Lines for people instead of JSON for machines. */
  readonly pretty: boolean;
  /** A file instead of standard error. */
  readonly file?: string;
}

/**
 * The one logger of a process. ERROR: our fault, somebody acts. WARN: odd, look in the morning. INFO: one line a round
 * or decision. DEBUG: the rest. Never a secret; the names below are cut out wherever they appear.
 */
export function createLogger({ level, pretty, file }: LoggerOptions): Logger {
  const destination = file ?? 2;
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      redact: ['*.password', '*.secret', '*.secrets', '*.authorization', 'req.headers.authorization'],
    },
    pretty
      ? pino.transport({ target: 'pino-pretty', options: { destination, ignore: 'pid,hostname', singleLine: true } })
      : pino.destination({ dest: destination, mkdir: true }),
  );
}
