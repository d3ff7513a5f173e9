// Settings that make training fit into memory: the batch in small parts, and the length of a sequence. The service
// gives no advice on them.

/**
 * The most rows on a device at once: few enough for a model of 8 billion parameters at MAX_LENGTH tokens, as in the
 * trainers' own examples.
 */
const MAX_ROWS = 4;

/**
 * Tokens of a row. The service does not send it; defaults of trainers range from 512 (Axolotl) to 2048 (LLaMA-Factory).
 */
const MAX_LENGTH = 2048;

export interface BatchParts {
  /** Rows on one device at once. */
  readonly micro: number;
  /** How many of these parts make one step. */
  readonly accumulation: number;
}

/** The most on one device at once, and the least: a batch that has no such parts stays whole. */
export interface BatchLimits {
  readonly most?: number;
  readonly least?: number;
}

/** Splits a batch size of 1 or more into equal parts. The product is exactly the batch size. */
export function toBatchParts(batch: number, { most = MAX_ROWS, least = 1 }: BatchLimits = {}): BatchParts {
  let micro = Math.min(most, batch);
  while (batch % micro !== 0) micro -= 1;
  return micro < least ? { micro: batch, accumulation: 1 } : { micro, accumulation: batch / micro };
}

/** `4 x 16 = the batch size of 64 ...`. */
export function toBatchNote(batch: number, limits: BatchLimits = {}): string {
  const { micro, accumulation } = toBatchParts(batch, limits);
  return (
    `${micro} x ${accumulation} = the service's batch size of ${batch}, on one device; with more devices, or other ` +
    'memory, keep the product'
  );
}

/** `what`: what happens to longer rows. */
const toLengthNote = (what: string): string =>
  `not the service's advice: set it to the length of your longest row; longer ones are ${what}`;

/** Tokens of a row, and why so many; null: they were chosen. `what`: what happens to longer rows. */
export const toLength = (
  { maxLength }: { readonly maxLength: number | null },
  what: string,
): { readonly value: number; readonly note: string | null } =>
  maxLength === null ? { value: MAX_LENGTH, note: toLengthNote(what) } : { value: maxLength, note: null };
