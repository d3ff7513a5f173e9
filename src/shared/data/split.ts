// Which rows of a snapshot are for training and which for validation. Pure.

export type Side = 'training' | 'validation';

/** Places are multiples of 2^-32 of the whole. */
const PLACES = 2 ** 32;

/**
 * The side of a row. `hash`: 16 hexadecimal digits of `toContentHash`; `percent` (0 to 100): the share of training
 * rows. The side depends on nothing else. So equal rows are on one side, rows that are added later move no other row,
 * and with a larger share all training rows stay training rows.
 */
export function toSide(hash: string, percent: number): Side {
  return Number.parseInt(hash.slice(0, 8), 16) * 100 < percent * PLACES ? 'training' : 'validation';
}

export interface SplitRow {
  readonly hash: string;
  /** The side that a person chose for the row; null: the hash decides. */
  readonly bucket: Side | null;
}

export interface SplitPreview {
  readonly training: number;
  readonly validation: number;
  /** Rows whose side a person chose. They count in `training` and `validation` too. */
  readonly chosen: number;
  /** Validation rows that are among the training rows too, because a person chose the side of one of them. */
  readonly leaks: number;
}

export const toRowSide = ({ hash, bucket }: SplitRow, percent: number): Side => bucket ?? toSide(hash, percent);

/** What a snapshot of these rows would hold. */
export function toSplitPreview(rows: readonly SplitRow[], percent: number): SplitPreview {
  let training = 0;
  let chosen = 0;
  for (const row of rows) {
    if (toRowSide(row, percent) === 'training') training += 1;
    if (row.bucket !== null) chosen += 1;
  }
  return { training, validation: rows.length - training, chosen, leaks: chosen === 0 ? 0 : countLeaks(rows, percent) };
}

/** Without a chosen side no row can leak: equal rows have equal hashes. */
function countLeaks(rows: readonly SplitRow[], percent: number): number {
  const trained = new Set(rows.filter((row) => toRowSide(row, percent) === 'training').map(({ hash }) => hash));
  return rows.filter((row) => toRowSide(row, percent) === 'validation' && trained.has(row.hash)).length;
}
