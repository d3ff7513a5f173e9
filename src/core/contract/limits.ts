// The one table of limits (SPEC 4.3 and 8). The dashboard's fields and the service's validation read it. The ranges of
// sampling parameters are in samplingParameters.ts.

/** A bounded number. The service uses `fallback` if the field is not sent. `step` is for sliders only. */
export interface NumberLimit {
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly fallback: number;
  /** How the fallback is shown where the engine chooses it. */
  readonly fallbackText?: string;
  readonly isInteger?: boolean;
}

/** SPEC 8: `messages` has at least one item. The upper bound is ours: it keeps one request bounded. */
export const MESSAGE_LIMITS = { min: 1, max: 10_000 } as const;

/**
 * SPEC 8: greater than 0. The upper bound is the largest integer that JSON carries exactly. `fieldMax` bounds the
 * dashboard's field: engines count in 32 bits.
 */
export const MAX_TOKENS_LIMITS = { min: 1, max: Number.MAX_SAFE_INTEGER, fieldMax: 2 ** 31 - 1 } as const;

/** ASSUMED: seeds are integers that JSON carries exactly. Engines reduce them modulo 2^32. */
export const SEED_LIMITS = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER } as const;

/** ASSUMED: ours. SPEC leaves these bounds open, and a service needs them to survive large requests. */
export const REQUEST_LIMITS = {
  bodyBytes: 8 * 1024 * 1024,
  /** Body of a sign-in: anybody can send one. */
  signInBytes: 4 * 1024,
  jsonDepth: 100,
  modelCharacters: 256,
  stopSequences: 64,
  stopCharacters: 1024,
  tools: 128,
  schemaBytes: 64 * 1024,
  schemaDepth: 24,
  schemaRepeats: 1024,
} as const;

/** The largest single server-sent event that a reader accepts, in characters. */
export const MAX_EVENT_CHARACTERS = 16 * 1024 * 1024;

/**
 * Of a fine-tuning job. ASSUMED: epochs and batch as in the forms of the hosted studio's API (epochs 1 to 10; batch up to 128
 * where a model has room), at least 10 training rows as there. The rest is ours. `rate` holds for rates and for
 * factors of them: nothing learns outside of it, and numbers such as 1e308 end a trainer.
 */
export const JOB_LIMITS = {
  epochs: { min: 1, max: 10 },
  batch: { min: 1, max: 128 },
  rate: { min: 1e-9, max: 100 },
  experiments: 200,
  /** Runs that wait in a studio, and those of them that one named token asked for. */
  waiting: 1_000,
  waitingOfToken: 500,
  /** At least, as in the hosted studio; a snapshot needs one. */
  trainingRows: 10,
  name: 200,
  modelCharacters: 256,
  /** `usual`: what is not chosen. `usualShare`: the least that follows from the number of candidates. */
  halving: { eta: { min: 2, max: 4 }, share: { min: 0.02, max: 0.5 }, usualEta: 3, usualShare: 0.1 },
} as const;

/** Length of a text as JSON Schema, Python and PostgreSQL count it, in Unicode characters: an emoji that is two UTF-16 units is one. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
