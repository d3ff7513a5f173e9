// A chat request as code that sends it (curl, Python, TypeScript), or as JSON. The code contains no token: it reads it
// from the environment. Pure.
import { isObject } from '#core/contract/readJson.ts';
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import type { JsonObject } from '#core/contract/readJson.ts';
import { isOwnSampling, SAMPLING_NAMES } from '#core/contract/samplingParameters.ts';
import { API_PREFIX } from '#core/contract/sessionInfo.ts';
import { toPythonPrinter, toScriptPrinter, type Printing } from './answerPrinters.ts';

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

interface CodeInput {
  readonly request: ChatRequest;
  /** Origin of the service, without a path: `http://127.0.0.1:4600`. */
  readonly origin: string;
}

/** The name of the variable that holds the bearer token. */
export const TOKEN_VARIABLE = 'STUDIO_TOKEN';
const END = 'END_OF_REQUEST';
/** Node takes .mts as a module wherever it lies, so `await` may stand outside of functions. */
const SCRIPT_FILE = 'request.mts';

const toShellText = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A quoted here-document carries the body, so the shell expands nothing. No line of pretty JSON can equal its end. */
function toCurl({ request, origin }: CodeInput): string {
  return `curl --silent --show-error --no-buffer ${toShellText(`${origin}/api/v1/chat/completions`)} \\
  --header "Authorization: Bearer $${TOKEN_VARIABLE}" \\
  --header 'Content-Type: application/json' \\
  --data-binary @- <<'${END}'
${JSON.stringify(request, null, 2)}
${END}
`;
}

const toPrinting = ({ stream, tools }: ChatRequest): Printing => ({
  isStreamed: stream === true,
  hasTools: tools !== undefined && tools.length > 0,
});

/** OpenAI's client takes fields that it doesn't know in `extra_body` only. */
function toPythonArguments(request: ChatRequest): JsonObject {
  const isExtra = (name: string): boolean => SAMPLING_NAMES.some((each) => each === name && isOwnSampling(each));
  const [extra = [], known = []] = [true, false].map((is) =>
    Object.entries(request).filter(([name]) => isExtra(name) === is),
  );
  return { ...Object.fromEntries(known), ...(extra.length > 0 && { extra_body: Object.fromEntries(extra) }) };
}

function toPythonCode({ request, origin }: CodeInput): string {
  const entries = Object.entries(toPythonArguments(request)).map(
    ([name, value]) => `    ${name}=${toPython(value, '    ')},\n`,
  );
  return `import os

from openai import OpenAI  # pip install openai

client = OpenAI(base_url=${toPython(`${origin}${API_PREFIX}`)}, api_key=os.environ["${TOKEN_VARIABLE}"])
answer = client.chat.completions.create(
${entries.join('')})
${toPythonPrinter(toPrinting(request))}`;
}

function toTypeScriptCode({ request, origin }: CodeInput): string {
  return `// Save as ${SCRIPT_FILE}, then run (Node 20 or later): npx tsx ${SCRIPT_FILE}
const response = await fetch(${toTypeScript(`${origin}/api/v1/chat/completions`)}, {
  method: 'POST',
  headers: { Authorization: \`Bearer \${process.env.${TOKEN_VARIABLE}}\`, 'Content-Type': 'application/json' },
  body: JSON.stringify(${toTypeScript(request, '  ')}),
});
if (!response.ok) throw new Error(\`\${response.status} \${await response.text()}\`);
${toScriptPrinter(toPrinting(request))}`;
}

const toJson = ({ request }: CodeInput): string => `${JSON.stringify(request, null, 2)}\n`;

interface CodeLanguageFacts {
  readonly id: string;
  readonly label: string;
  readonly fileName: string;
  readonly mediaType: string;
  readonly write: (input: CodeInput) => string;
}

/** In the order of their tabs. The first is the default. */
export const CODE_LANGUAGES = [
  { id: 'curl', label: 'curl', fileName: 'request.sh', mediaType: 'text/x-shellscript', write: toCurl },
  { id: 'python', label: 'Python', fileName: 'request.py', mediaType: 'text/x-python', write: toPythonCode },
  { id: 'typescript', label: 'TypeScript', fileName: SCRIPT_FILE, mediaType: 'text/plain', write: toTypeScriptCode },
  { id: 'json', label: 'JSON', fileName: 'request.json', mediaType: 'application/json', write: toJson },
] as const satisfies readonly CodeLanguageFacts[];

export type CodeLanguage = (typeof CODE_LANGUAGES)[number];

export function findCodeLanguage(id: string): CodeLanguage {
  return CODE_LANGUAGES.find((language) => language.id === id) ?? CODE_LANGUAGES[0];
}

/** The code that sends exactly this request. */
export function toRequestCode(id: CodeLanguage['id'], input: CodeInput): string {
  return findCodeLanguage(id).write(input);
}
