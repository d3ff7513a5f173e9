// A range that is typed end by end. Between 1..10 and 20..30 it is reversed for a moment, and must not apply. Pure.

export interface Range {
  readonly from: number | null;
  readonly to: number | null;
}

/** The range after one end was typed, and why it can't apply yet; null if it can. */
export function toEntered(
  range: Range,
  end: 'from' | 'to',
  value: number | null,
): { readonly range: Range; readonly problem: string | null } {
  const next = { ...range, [end]: value };
  const isReversed = next.from !== null && next.to !== null && next.from > next.to;
  return {
    range: next,
    problem: isReversed
      ? `“from” (${next.from}) is greater than “to” (${next.to}). Until you change one, the filter stays as it is.`
      : null,
  };
}
