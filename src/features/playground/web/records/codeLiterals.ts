// Writes JSON values as literals of other languages, so that any text survives. Pure.

/** Any value that JSON can hold. */
type JsonValue = unknown;

interface Syntax {
  readonly null: string;
  readonly true: string;
  readonly false: string;
  /** A key as written before the colon. */
  readonly key: (text: string) => string;
  /** A text as a literal. */
  readonly text: (text: string) => string;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function write(value: JsonValue, syntax: Syntax, indent: string): string {
  if (value === null || value === undefined) return syntax.null;
  if (typeof value === 'boolean') return value ? syntax.true : syntax.false;
  if (typeof value === 'number') return JSON.stringify(value);
  if (typeof value === 'string') return syntax.text(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    return value.length === 0
      ? '[]'
      : `[\n${value.map((entry) => `${inner}${write(entry, syntax, inner)},\n`).join('')}${indent}]`;
  }
  if (!isObject(value)) return syntax.null;
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  if (entries.length === 0) return '{}';
  const lines = entries.map(([key, entry]) => `${inner}${syntax.key(key)}: ${write(entry, syntax, inner)},\n`);
  return `{\n${lines.join('')}${indent}}`;
}

/**
 * Python reads JSON's escapes, except surrogate pairs of \u for one character. JSON.stringify keeps such characters
 * unescaped, and escapes lone surrogates only.
 */
const toPythonText = (text: string): string => JSON.stringify(text).replaceAll('\u007f', '\\x7f');

/** A Python literal over several lines; `indent` is the indentation of its first line. */
export function toPython(value: JsonValue, indent = ''): string {
  return write(value, { null: 'None', true: 'True', false: 'False', key: toPythonText, text: toPythonText }, indent);
}

/** Old parsers end a line at these separators. */
const toScriptText = (text: string): string =>
  JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');

/** A TypeScript literal. A plain key `__proto__` would set the prototype, so it becomes a computed key. */
export function toTypeScript(value: JsonValue, indent = ''): string {
  const key = (text: string): string => {
    if (text === '__proto__') return '["__proto__"]';
    return /^[A-Za-z_$][\w$]*$/.test(text) ? text : toScriptText(text);
  };
  return write(value, { null: 'null', true: 'true', false: 'false', key, text: toScriptText }, indent);
}
