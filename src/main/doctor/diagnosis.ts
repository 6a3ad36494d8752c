/** Where a diagnosis belongs, in the order in which they are told. */
export const areas = ['configuration', 'credentials', 'temporal', 'ledger', 'registry', 'sources', 'api'] as const;
export type Area = (typeof areas)[number];

/** What one look at one thing showed. Holds no secret. */
export interface Diagnosis {
  readonly area: Area;
  /** What was looked at: a file, a task queue, a catalog. */
  readonly subject: string;
  /** `wrong` keeps something from working; `skipped` could not, or need not, be looked at. */
  readonly state: 'ok' | 'warning' | 'wrong' | 'skipped';
  readonly text: string;
  /** What to do about it. */
  readonly mend?: string;
}

/** Makes the diagnoses of one area. */
export function diagnosing(area: Area) {
  return {
    ok: (subject: string, text: string): Diagnosis => ({ area, subject, state: 'ok', text }),
    skipped: (subject: string, text: string): Diagnosis => ({ area, subject, state: 'skipped', text }),
    warning: (subject: string, text: string, mend: string): Diagnosis => ({
      area,
      subject,
      state: 'warning',
      text,
      mend,
    }),
    wrong: (subject: string, text: string, mend: string): Diagnosis => ({ area, subject, state: 'wrong', text, mend }),
  };
}

/** A look that did not come to an end in time. */
export class LookTimedOut extends Error {
  override readonly name = 'LookTimedOut';
}

/**
 * Ends a look in time, whatever it waits for; the look itself is told by the signal. Rejects with {@link LookTimedOut}.
 */
export async function inTime<T>(withinMs: number, look: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const error = new LookTimedOut(`no answer within ${withinMs / 1_000} s`);
      reject(error);
      controller.abort(error);
    }, withinMs);
  });
  try {
    return await Promise.race([look(controller.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** What went wrong, in a sentence that ends without a full stop. */
export function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const said = error.message === '' ? (code ?? error.name) : error.message;
  return said.replace(/\.$/, '');
}
