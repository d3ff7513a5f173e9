// Which format a text of rows is in, as far as it can be told.
import { findDelimiter } from './delimiter.ts';
import type { RowFormat } from './promptRow.ts';

const parses = (text: string): boolean => {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
};

/** A bracket that a list of rows begins with; `[Urgent]` and `[1]` begin prompts. */
const OPENS_LIST = /^\[\s*(?:\{(?!\{)|["'[\]]|$)/;
const LIST_OF_VALUES = /^\[\s*(?:-?\d|true\b|false\b|null\b)[^\]]*\]\s*$/;
/** Lines that are looked at. */
const MAX_LINES = 50;
const MAX_SAMPLE = 1_000_000;

/** An object on each line, or one over several: damaged ones count as what most of their lines are. */
function guessOfObject(text: string): RowFormat {
  const lines = text
    .slice(0, MAX_SAMPLE)
    .split(/\r\n|\r|\n/, MAX_LINES)
    .filter((line) => line.trim() !== '');
  const [first = '', ...others] = lines;
  if (parses(first)) return 'jsonl';
  return others.some((line) => line.startsWith('{') && parses(line)) ? 'jsonl' : 'json';
}

/** A text that begins with a brace or a list is JSON, whole or damaged, never prompts; tables must look like ones. */
export function guessFormat(text: string): RowFormat {
  const bare = text.replace(/^\uFEFF/, '').trim();
  if (bare.startsWith('{') && !bare.startsWith('{{')) return guessOfObject(bare);
  if (OPENS_LIST.test(bare) || (bare.startsWith('[') && LIST_OF_VALUES.test(bare.slice(0, MAX_SAMPLE)))) return 'json';
  return findDelimiter(bare) === null ? 'lines' : 'csv';
}
