// The one table of limits. Sliders, request builder and the service's validation all read it (SPEC 4.3 and 8).

/** A bounded number. `fallback` is what the service uses when the field is not sent; `step` is for sliders only. */
export interface NumberLimit {
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly fallback: number;
}

/** Sampling parameters with inclusive bounds, in the order in which the dashboard shows them (SPEC 4.3). */
export const SAMPLING_LIMITS = {
  temperature: { label: 'Temperature', min: 0, max: 2, step: 0.01, fallback: 0.7 },
  top_p: { label: 'Top P', min: 0, max: 1, step: 0.01, fallback: 1 },
  frequency_penalty: { label: 'Frequency penalty', min: -2, max: 2, step: 0.01, fallback: 0 },
  presence_penalty: { label: 'Presence penalty', min: -2, max: 2, step: 0.01, fallback: 0 },
} as const satisfies Record<string, NumberLimit>;

export type SamplingName = keyof typeof SAMPLING_LIMITS;

export const SAMPLING_NAMES = Object.keys(SAMPLING_LIMITS) as readonly SamplingName[];

/** SPEC 8: `messages` has at least one item. The upper bound is ours: it keeps one request bounded. */
export const MESSAGE_LIMITS = { min: 1, max: 10_000 } as const;

/**
 * SPEC 8: greater than 0. The upper bound is what JSON carries exactly; `fieldMax` is what engines count in (32 bits),
 * so that the dashboard's field takes no more.
 */
export const MAX_TOKENS_LIMITS = { min: 1, max: Number.MAX_SAFE_INTEGER, fieldMax: 2 ** 31 - 1 } as const;

/** ASSUMED: seeds are integers that JSON carries exactly; engines reduce them modulo 2^32. */
export const SEED_LIMITS = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER } as const;

/** ASSUMED: ours. SPEC leaves these bounds open, and a service needs them to stay alive. Bytes, levels, items. */
export const REQUEST_LIMITS = {
  bodyBytes: 8 * 1024 * 1024,
  /** Of a sign-in, which anybody can send. */
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
