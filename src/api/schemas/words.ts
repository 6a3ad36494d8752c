import { z } from 'zod';

/** A code that programs compare and a sentence that people read. */
export const Coded = z.object({ code: z.string(), text: z.string() });
export type Coded = z.infer<typeof Coded>;

/** Why something ended without a conclusion: our failure type, the other side's code, and what happened. */
export const ReasonView = z.object({ type: z.string(), code: z.string(), message: z.string() });
