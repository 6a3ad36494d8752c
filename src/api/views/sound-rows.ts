import type { z } from 'zod';

export interface SoundRows<View> {
  readonly sound: View[];
  /** Rows that cannot be shown, with the reason. */
  readonly broken: { readonly id: string; readonly why: string }[];
}

/**
 * Shows each row on its own, so that one broken row on record never hides the others. What is wrong with it is told
 * beside them.
 */
export function soundRows<Row extends { readonly id: string }, View>(
  rows: readonly Row[],
  view: (row: Row) => View,
  shape: z.ZodType<View>,
): SoundRows<View> {
  const result: SoundRows<View> = { sound: [], broken: [] };
  for (const row of rows) {
    const shown = tried(() => shape.safeParse(view(row)));
    if (shown?.success === true) result.sound.push(shown.data);
    else result.broken.push({ id: row.id, why: whyOf(shown?.error) });
  }
  return result;
}

function tried<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined; // a row so broken that it cannot even be read
  }
}

function whyOf(error: z.ZodError | undefined): string {
  const [issue] = error?.issues ?? [];
  return issue === undefined ? 'the row on record cannot be read' : `${issue.path.join('.')}: ${issue.message}`;
}
