// Finds the place of a value in a JSON text, and formats the text. Nothing is parsed into values, so that no digit of
// a number changes.
import { JsonReader, MAX_TYPED_DEPTH } from './jsonText.ts';

export type JsonPath = readonly (string | number)[];

/** Offsets into the text. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

/**
 * The place of the value at `path`. If the path leads to no value, the place of the innermost value around it. If an
 * object has a name twice, the last one counts, as in JSON.parse. The text must be JSON.
 */
export function findJsonPlace(text: string, path: JsonPath): Place {
  const reader = new JsonReader(text);
  const { open } = reader;
  /** The places of the values along the path, from the outermost to the innermost. */
  const found: Place[] = [];
  /** For each open bracket, the index of the current entry. */
  const indexes: number[] = [];
  /** How many leading steps of the path lead to the current token. */
  let matched = 0;
  const setName = (toName: () => string | number): void => {
    const at = open.length - 1;
    if (matched >= at) matched = toName() === path[at] ? at + 1 : at;
  };
  const setIndex = (index: number): void => {
    indexes[open.length - 1] = index;
    if (open.at(-1) === '[') setName(() => index);
  };
  while (reader.next()) {
    const { kind, from, to } = reader;
    if (kind === 'key') setName(() => JSON.parse(text.slice(from, to)) as string);
    else if (kind === 'comma') setIndex((indexes[open.length - 1] ?? 0) + 1);
    else if (kind === 'close') {
      matched = Math.min(matched, open.length);
      const value = matched === open.length ? found[matched] : undefined;
      if (value) found[matched] = { from: value.from, to };
    } else if (kind !== 'colon') {
      const depth = kind === 'open' ? open.length - 1 : open.length;
      if (matched === depth) found.splice(depth, Infinity, { from, to });
      if (kind === 'open') setIndex(0);
    }
  }
  return found.at(-1) ?? { from: 0, to: text.length };
}

/** The text with one line for each member and entry; null if it is not JSON. Literals stay unchanged. */
export function toPrettyJson(text: string): string | null {
  const reader = new JsonReader(text, MAX_TYPED_DEPTH);
  let pretty = '';
  let before: JsonReader['kind'] = 'scalar';
  while (reader.next()) {
    const { kind, from, to, open } = reader;
    const isFirst = before === 'open';
    if (kind === 'close' ? !isFirst : isFirst || before === 'comma')
      pretty += `\n${'  '.repeat(kind === 'open' ? open.length - 1 : open.length)}`;
    pretty += kind === 'colon' ? ': ' : text.slice(from, to);
    before = kind;
  }
  return reader.isWhole ? pretty : null;
}
