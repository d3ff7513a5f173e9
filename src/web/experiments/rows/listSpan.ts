// The part of a list between two presses on its checkboxes. Pure.

/** The part of a list between two places, both included, whichever comes first. */
export function toSpan<T>(list: readonly T[], from: number, to: number): readonly T[] {
  return list.slice(Math.max(0, Math.min(from, to)), Math.max(from, to) + 1);
}
