// Where a line may break: in long words without spaces, such as JSON, and in a line of figures. Pure.

/** A word of this length fits in a line of a cell. */
const MAX_WORD = 16;
const LONG_WORD = new RegExp(`\\S{${MAX_WORD + 1},}`);
const AFTER_PUNCTUATION = /(?<=[,:;{}[\]()/|=&?_])(?![,:;{}[\]()/|=&?_\s"'])|(?<=[,:[{])(?=["'](?![\s,:}\]]|$))/u;

/**
 * Splits the text where a line may break. Joined, the parts are the text. White space stays inside a part, because the
 * browser would drop it at a break.
 */
export function toBreakParts(text: string): readonly string[] {
  if (!LONG_WORD.test(text)) return [text];
  const parts: string[] = [];
  let part = '';
  for (const word of text.split(/(\s+)/u)) {
    const [first = '', ...rest] = word.length > MAX_WORD ? word.split(AFTER_PUNCTUATION) : [word];
    part += first;
    for (const next of rest) {
      parts.push(part);
      part = next;
    }
  }
  return [...parts, part];
}

/**
 * Splits figures after a comma or dot between facts, and around a bracket, but not within a figure: "82 % (69–90) of
 * 1,000 rows" -> "82 %", "(69–90)", "of 1,000 rows". Joined by spaces, the parts are the text.
 */
export const toFigureParts = (text: string): readonly string[] => text.split(/(?<=[,·)]) | (?=\()/u);
