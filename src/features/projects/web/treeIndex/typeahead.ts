// Finds a row by the typed start of its label. Pure: the clock is an argument.

export interface Typeahead {
  readonly text: string;
  /** When the last character was typed, in ms. */
  readonly at: number;
}

export const NO_TYPEAHEAD: Typeahead = { text: '', at: 0 };

const PAUSE_MS = 700;

/** Whether a person is typing a text: a space then belongs to it. */
export function isTyping({ text, at }: Typeahead, now: number): boolean {
  return text !== '' && now - at <= PAUSE_MS;
}

/** Adds a character, or starts again after a pause. */
export function reduceTypeahead(state: Typeahead, character: string, now: number): Typeahead {
  const isFresh = now - state.at > PAUSE_MS;
  return { text: (isFresh ? '' : state.text) + character.toLowerCase(), at: now };
}

/**
 * The row to move to, or -1. One character (also repeated) searches after the active row and cycles through all labels
 * that start with it. A longer text stays on a row that still matches.
 */
export function findTypeahead(count: number, labelAt: (row: number) => string, active: number, text: string): number {
  const first = text.charAt(0);
  const isRepeated = [...text].every((character) => character === first);
  const prefix = isRepeated ? first : text;
  const start = isRepeated ? active + 1 : Math.max(active, 0);
  for (let step = 0; step < count; step += 1) {
    const row = (start + step) % count;
    const label = labelAt(row);
    // Most rows fail by their first letter; only the others need a lower-case copy.
    if (label.charAt(0).toLowerCase().startsWith(first) && label.toLowerCase().startsWith(prefix)) return row;
  }
  return -1;
}
