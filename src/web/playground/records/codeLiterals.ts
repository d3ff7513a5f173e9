// JSON values as literals of other languages, so that any text survives. Pure.

/** What JSON can hold. */
type JsonValue = unknown;

interface Words {
  readonly null: string;
  readonly true: string;
  readonly false: string;
  /** A key as it stands before the colon. */
  readonly key: (text: string) => string;
  /** A text as a literal. */
  readonly text: (text: string) => string;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function write(value: JsonValue, words: Words, indent: string): string {
  if (value === null || value === undefined) return words.null;
  if (typeof value === 'boolean') return value ? words.true : words.false;
  if (typeof value === 'number') return JSON.stringify(value);
  if (typeof value === 'string') return words.text(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    return value.length === 0
      ? '[]'
      : `[\n${value.map((entry) => `${inner}${write(entry, words, inner)},\n`).join('')}${indent}]`;
  }
  if (!isObject(value)) return words.null;
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  return entries.length === 0
    ? '{}'
    : `{\n${entries.map(([key, entry]) => `${inner}${words.key(key)}: ${write(entry, words, inner)},\n`).join('')}${indent}}`;
}

/**
 * Python takes JSON's escapes, but not its pairs of \u for one character; those stay as they are. Halves are escaped.
 */
const toPythonText = (text: string): string => JSON.stringify(text).replaceAll('\u007f', '\\x7f');

/** A Python literal over several lines; `indent` is that of the line it begins on. */
export function toPython(value: JsonValue, indent = ''): string {
  return write(value, { null: 'None', true: 'True', false: 'False', key: toPythonText, text: toPythonText }, indent);
}

/** Line separators end a line in old parsers. */
const toScriptText = (text: string): string =>
  JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');

/** A TypeScript literal. `__proto__` as a plain key would set the prototype, so it is written as a computed one. */
export function toTypeScript(value: JsonValue, indent = ''): string {
  const key = (text: string): string => {
    if (text === '__proto__') return '["__proto__"]';
    return /^[A-Za-z_$][\w$]*$/.test(text) ? text : toScriptText(text);
  };
  return write(value, { null: 'null', true: 'true', false: 'false', key, text: toScriptText }, indent);
}
