// Numbers as Python prints them, and the dicts of numbers in the Trainer's log lines: bare (transformers 4) or in quotes (5).

/** Longest line that is parsed, in characters. */
const MAX_LINE = 64 * 1024;
const TEXT = String.raw`'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"`;
/** A key and its value: a text, a list, a tuple or a dict without another one in it, or a word. */
const PAIR = new RegExp(
  String.raw`\s*(${TEXT})\s*:\s*(${TEXT}|\[[^[\]{}]*\]|\([^()]*\)|\{[^{}]*\}|[-+.\w]+)\s*(?:,|$)`,
  'y',
);
const WORD = /^(?:True|False|None)$/;

/** The dict of a line that holds nothing else, null for a value that is no number; null for any other line. */
export function parsePythonDict(line: string): ReadonlyMap<string, number | null> | null {
  const text = line.trim();
  if (!text.startsWith('{') || !text.endsWith('}') || text.length > MAX_LINE) return null;
  const inner = text.slice(1, -1).trimEnd();
  const found = new Map<string, number | null>();
  PAIR.lastIndex = 0;
  while (PAIR.lastIndex < inner.length) {
    const [, key, value] = PAIR.exec(inner) ?? [];
    if (key === undefined || value === undefined) return null;
    const isText = /^['"]/.test(value);
    const number = numberOf(isText ? value.slice(1, -1) : value.replaceAll('_', ''));
    if (number === null && /^[-+.\w]/.test(value) && !WORD.test(value)) return null;
    found.set(key.slice(1, -1), number);
  }
  return found;
}

/** The number that a value is or spells: `1.5`, `'1.679'`, `'nan'`, `'inf'`. null: none. */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return null;
  const word = value.trim().toLowerCase();
  if (word === 'nan') return Number.NaN;
  const infinity = /^([+-]?)inf(?:inity)?$/.exec(word);
  if (infinity) return infinity[1] === '-' ? -Infinity : Infinity;
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/.test(word) ? Number(word) : null;
}
