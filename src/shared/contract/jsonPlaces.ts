// Where in a JSON text a value stands, and the same text laid out line by line. Nothing is parsed into values, so that
// no digit of a number changes.
import { JsonReader, MAX_TYPED_DEPTH } from './jsonText.ts';

export type JsonPath = readonly (string | number)[];

/** Offsets into the text. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

/**
 * The place of the value at `path`; where there is none, that of the innermost value around it. Of equal names the last
 * one counts, as everywhere in JSON. The text must be JSON.
 */
export function findJsonPlace(text: string, path: JsonPath): Place {
  const reader = new JsonReader(text);
  const { open } = reader;
  /** The places of the value itself (the last), and of those around it. */
  const found: Place[] = [];
  /** For each open bracket the index of the entry that is being read. */
  const indexes: number[] = [];
  /** How many of the names that lead to what is being read are those of the path. */
  let same = 0;
  const setName = (toName: () => string | number): void => {
    const at = open.length - 1;
    if (same >= at) same = toName() === path[at] ? at + 1 : at;
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
      same = Math.min(same, open.length);
      const value = same === open.length ? found[same] : undefined;
      if (value) found[same] = { from: value.from, to };
    } else if (kind !== 'colon') {
      const depth = kind === 'open' ? open.length - 1 : open.length;
      if (same === depth) found.splice(depth, Infinity, { from, to });
      if (kind === 'open') setIndex(0);
    }
  }
  return found.at(-1) ?? { from: 0, to: text.length };
}

/** The text with a line for each member and entry; null where it is not JSON. Every literal stays as it is written. */
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
