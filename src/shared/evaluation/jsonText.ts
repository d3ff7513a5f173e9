// JSON as a person types it: the value, or the line where it stops being JSON. Browsers word and place that
// differently, some not at all, so the place is found here.

export type JsonText =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly line: number; readonly offset: number };

/** Deeper than this nothing is meant. */
const MAX_DEPTH = 500;
const LITERAL =
  /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
const SPACE = /[ \t\r\n]*/y;

/** Where the text stops being JSON; null where it is JSON. */
function findFault(text: string): number | null {
  let at = 0;
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at += found[0].length;
    return found !== null;
  };
  const skip = (): string | undefined => (take(SPACE), text[at]);
  const takeMark = (mark: string): boolean => {
    if (skip() !== mark) return false;
    at += 1;
    return true;
  };
  const takeItems = (depth: number, end: string): boolean => {
    if (takeMark(end)) return true;
    do {
      if (end === '}' && (skip() !== '"' || !take(LITERAL) || !takeMark(':'))) return false;
      if (!takeValue(depth + 1)) return false;
    } while (takeMark(','));
    return takeMark(end);
  };
  function takeValue(depth: number): boolean {
    if (depth > MAX_DEPTH) return false;
    if (takeMark('{')) return takeItems(depth, '}');
    if (takeMark('[')) return takeItems(depth, ']');
    return take(LITERAL);
  }
  return takeValue(0) && skip() === undefined ? null : at;
}

/** A text of tens of millions of characters is more than regular expressions take: then only JSON.parse judges. */
function parseHuge(text: string): JsonText {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false, offset: 0, line: 1 };
  }
}

/** Parses a typed text. Lines count from 1. Never throws. */
export function parseJsonText(text: string): JsonText {
  let offset: number | null;
  try {
    offset = findFault(text);
  } catch {
    return parseHuge(text);
  }
  if (offset === null) return { ok: true, value: JSON.parse(text) };
  return { ok: false, offset, line: text.slice(0, offset).split('\n').length };
}
