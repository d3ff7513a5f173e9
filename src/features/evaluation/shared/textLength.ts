// How long a text is. Pure.

/** Tokens are counted by the model that wrote them. */
export const LENGTH_UNITS = ['words', 'characters', 'tokens'] as const;
export type LengthUnit = (typeof LENGTH_UNITS)[number];

let segmenter: Intl.Segmenter | null = null;

/** The words of a text, also of languages without spaces between them. */
export function toWords(text: string): readonly string[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  return [...segmenter.segment(text)].flatMap(({ segment, isWordLike }) => (isWordLike === true ? [segment] : []));
}

/** In characters of Unicode, not in UTF-16 units. White space around the text does not count. */
export const countCharacters = (text: string): number => [...text.trim()].length;
