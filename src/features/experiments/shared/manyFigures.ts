// Decides which figures are shown and which are folded away: a service may send fifty of its own. Pure.

const SHOWN = 8;
/** This many hidden figures, or fewer, are not worth a fold. */
const SLACK = 3;

export interface Figures<T> {
  readonly shown: readonly T[];
  /** Behind the fold. Empty if there are few. */
  readonly more: readonly T[];
}

/** `isExtra`: one of a kind that may be many; only the first few are shown. `isKept`: in use, so it is shown. */
export function splitFigures<T>(
  entries: readonly T[],
  isExtra: (entry: T) => boolean,
  isKept: (entry: T) => boolean,
): Figures<T> {
  const first = new Set(entries.filter(isExtra).slice(0, SHOWN));
  const isMore = (entry: T): boolean => isExtra(entry) && !first.has(entry) && !isKept(entry);
  const more = entries.filter(isMore);
  return more.length <= SLACK
    ? { shown: entries, more: [] }
    : { shown: entries.filter((entry) => !isMore(entry)), more };
}

/** The label of the fold. */
export const toMoreText = (count: number): string => `More figures, ${count.toLocaleString('en-US')}`;
