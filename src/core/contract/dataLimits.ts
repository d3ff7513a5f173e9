// The limits of datasets and their rows. ASSUMED: ours, unless a line says otherwise.

export const DATA_LIMITS = {
  /** Characters of the name of a project, dataset or snapshot, and of a project's goal. */
  name: 200,
  goal: 10_000,
  uploadBytes: 8 * 1024 ** 3,
  rows: 5_000_000,
  /** Parts of an upload: the file, and fields. */
  parts: 16,
  fieldBytes: 512 * 1024,
  /** Characters of the name of a column, columns of a question, and names of roles. */
  mapping: { name: 200, columns: 20, roles: 100 },
  /** Uploads that are read at the same time, in one process. */
  imports: 4,
  /** Bad lines that an answer shows, those that are kept for the download. */
  badLinesShown: 20,
  badLinesKept: 10_000,
  /** Rows of a page, and rows that are marked in one request. */
  page: 200,
  marks: 10_000,
  search: 500,
  /** Rows that a filter names by their places: more make an address too long for some servers. */
  placed: 200,
  tag: 50,
  tags: 20,
  /** Rows whose tokens are counted: at some 2,000 a second. Of more rows some are, evenly spread. */
  tokenRows: 100_000,
  /** Characters of a message that the table of rows shows. */
  preview: 300,
  /** Rows of each kind in a comparison of snapshots, and rows and groups of a finding that an answer names. */
  compared: 200,
  named: 100,
  deletedHours: 24,
} as const;

/**
 * Whole percent of a dataset's rows that are for training.
 * ASSUMED: the hosted studio's SDK says "percentage of datapoints to assign to training", without range and default. 80 is
 * the usual share.
 */
export const SPLIT_PERCENTAGE = { min: 1, max: 100, fallback: 80 } as const;
