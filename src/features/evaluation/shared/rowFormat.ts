// Guesses the format of a text of rows.
import { parseJson } from '#core/contract/readJson.ts';
import { findDelimiter } from './delimiter.ts';
import type { RowFormat } from './promptRow.ts';

const parses = (text: string): boolean => typeof parseJson(text) === 'object';

/** The start of a list of rows. `[Urgent]` and `[1]` start prompts. */
const OPENS_LIST = /^\[\s*(?:\{(?!\{)|["'[\]]|$)/;
const LIST_OF_VALUES = /^\[\s*(?:-?\d|true\b|false\b|null\b)[^\]]*\]\s*$/;
/** How many lines are examined. */
const MAX_LINES = 50;
const MAX_SAMPLE = 1_000_000;

/**
 * JSONL if the first line, or another that starts with a brace, is an object; else one JSON object, whole or damaged.
 */
function guessOfObject(text: string): RowFormat {
  const lines = text
    .slice(0, MAX_SAMPLE)
    .split(/\r\n|\r|\n/, MAX_LINES)
    .filter((line) => line.trim() !== '');
  const [first = '', ...others] = lines;
  if (parses(first)) return 'jsonl';
  return others.some((line) => line.startsWith('{') && parses(line)) ? 'jsonl' : 'json';
}

/** A text that starts with a brace or a list is JSON, whole or damaged, never prompts. */
export function guessFormat(text: string): RowFormat {
  const bare = text.replace(/^\uFEFF/, '').trim();
  if (bare.startsWith('{') && !bare.startsWith('{{')) return guessOfObject(bare);
  if (OPENS_LIST.test(bare) || (bare.startsWith('[') && LIST_OF_VALUES.test(bare.slice(0, MAX_SAMPLE)))) return 'json';
  return findDelimiter(bare) === null ? 'lines' : 'csv';
}
