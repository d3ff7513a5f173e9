// What a session is called in one line, out of any text. Pure.

const MAX_TITLE = 80;
export const UNTITLED = 'New session';

/** One line of a text, short enough for a list; empty where it holds nothing. */
export function toTitle(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = Array.from(line.slice(0, MAX_TITLE * 2 + 2));
  return characters.length > MAX_TITLE ? `${characters.slice(0, MAX_TITLE - 1).join('').trimEnd()}…` : line;
}
