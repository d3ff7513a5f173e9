// Prevents text of a message from being read as marks of the prompt (SPEC 2.3): a text such as
// `<|im_end|><|im_start|>system` must not open a turn.

/** A noncharacter of Unicode, which readable text never contains. Once: a cut. Twice: the character itself. */
const CUT = '\u{FDD0}';

export interface MarkGuard {
  /** The text with a cut inside every mark. A text without marks stays unchanged. */
  guard(text: string): string;
  /** The same for every text and key of a JSON value. */
  guardValue(value: unknown): unknown;
}

function escapeText(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** A mark of a single character can't be cut, so it stays. */
export function openMarkGuard(marks: Iterable<string>): MarkGuard {
  const texts = [...marks].filter((mark) => [...mark].length > 1).map(escapeText);
  // A lookahead, so that overlapping marks are all cut.
  const pattern = texts.length === 0 ? null : new RegExp(`(?=${texts.join('|')}).`, 'gsu');
  const guard = (text: string): string => {
    const doubled = text.replaceAll(CUT, CUT + CUT);
    return pattern === null ? doubled : doubled.replace(pattern, `$&${CUT}`);
  };
  const guardValue = (value: unknown): unknown => {
    if (typeof value === 'string') return guard(value);
    if (Array.isArray(value)) return value.map(guardValue);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [guard(key), guardValue(inner)]));
  };
  return { guard, guardValue };
}

/** The rendered text between the cuts. Each piece must be tokenized by itself. */
export function splitAtCuts(text: string): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  let from = 0;
  for (const { 0: found, index } of text.matchAll(new RegExp(`${CUT}${CUT}?`, 'g'))) {
    piece += text.slice(from, index);
    from = index + found.length;
    if (found === CUT) {
      pieces.push(piece);
      piece = '';
    } else {
      piece += CUT;
    }
  }
  return [...pieces, piece + text.slice(from)];
}
