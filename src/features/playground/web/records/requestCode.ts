// A chat request as code that sends it (curl, Python, TypeScript), or as JSON. The code contains no token: it reads it
// from the environment. Pure.
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import { API_PREFIX } from '#core/contract/routes.ts';
import { toPythonPrinter, toScriptPrinter, type Printing } from './answerPrinters.ts';
import { toPython, toTypeScript } from './codeLiterals.ts';

export interface CodeInput {
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

function toPythonCode({ request, origin }: CodeInput): string {
  const entries = Object.entries(request).map(([name, value]) => `    ${name}=${toPython(value, '    ')},\n`);
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
