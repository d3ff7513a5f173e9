// How far several answers to one prompt agree. Pure.

interface AnswerGroup {
  readonly text: string;
  /** Indexes of the equal answers, in order. */
  readonly places: readonly number[];
}

export interface Agreement {
  readonly total: number;
  /** Distinct answers, the most frequent first; equal counts in order of first occurrence. */
  readonly groups: readonly AnswerGroup[];
  /** How many give the most frequent answer; 0 without answers. */
  readonly equal: number;
}

/** Compares texts exactly, except white space around them. */
export function toAgreement(texts: readonly string[]): Agreement {
  const places = new Map<string, number[]>();
  for (const [place, text] of texts.entries()) {
    const key = text.trim();
    const found = places.get(key);
    if (found) found.push(place);
    else places.set(key, [place]);
  }
  const groups = [...places]
    .map(([text, found]): AnswerGroup => ({ text, places: found }))
    .sort((a, b) => b.places.length - a.places.length);
  return { total: texts.length, groups, equal: groups[0]?.places.length ?? 0 };
}
