// Which of very many figures stand at once and which are folded away: a service may send fifty of its own. Pure.

const SHOWN = 8;
/** So few are not worth a fold. */
const SLACK = 3;

export interface Figures<T> {
  readonly shown: readonly T[];
  /** Behind a fold; empty where there are few. */
  readonly more: readonly T[];
}

/** `isExtra`: one of those that may be many; the first few of them stay. `isKept`: in use, so it stays as well. */
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

/** What the fold is called. */
export const toMoreText = (count: number): string => `More figures, ${count.toLocaleString('en-US')}`;
