// Where a line may break: inside long words without spaces, such as JSON, and in a line of figures. Pure.

/** A shorter word fits in a line of a cell. */
const MAX_WORD = 16;
const LONG_WORD = new RegExp(`\\S{${MAX_WORD + 1},}`);
const AFTER_PUNCTUATION = /(?<=[,:;{}[\]()/|=&?_])(?![,:;{}[\]()/|=&?_\s"'])|(?<=[,:[{])(?=["'](?![\s,:}\]]|$))/u;

/**
 * The text in pieces; a line may break between them. Joined they are the text. White space stays inside: beside a break
 * the browser would drop it.
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
 * Figures break after a comma or a dot between facts, and before a bracket, but not within a figure:
 * "82 % (69–90), 41 of 1,000" -> "82 %", "(69–90),", "41 of 1,000". Joined by spaces they are the text.
 */
export const toFigureParts = (text: string): readonly string[] => text.split(/(?<=[,·]) | (?=\()/u);
