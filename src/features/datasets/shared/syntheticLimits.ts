// Apart from the schemas, which a page does not need.

/** ASSUMED: ours. Bytes of the whole form, files, rows, entries of a list, characters of one. */
export const SYNTHETIC_LIMITS = {
  bytes: 24 * 1024 * 1024,
  files: 50,
  pairs: 10_000,
  entries: 50,
  text: 10_000,
} as const;
