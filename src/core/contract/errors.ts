// One error envelope (SPEC 7 leaves it open; ASSUMED: OpenAI's form) and a reader of every form seen in the field.
import { arrayOr, isObject, numberOr, textOr } from './readJson.ts';

/** What our service sends with every status >= 400. */
export interface ErrorEnvelope {
  readonly error: {
    readonly message: string;
    readonly type: string;
    /** The request field at fault, as a path such as `messages[1].role`. */
    readonly param: string | null;
    readonly code: string | null;
    /** Of 409: what stands now, of a record that was changed since it was read; null: it is gone. */
    readonly current?: unknown;
  };
}

/** The parts of an error that readError found. The message is never empty. */
export interface ReadError {
  readonly message: string;
  readonly code: string | null;
  readonly param: string | null;
}

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
};

/** The envelope's `type` for an HTTP status. */
export function errorType(status: number): string {
  return TYPES[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error');
}

export function toErrorEnvelope(
  status: number,
  message: string,
  { param = null, code = null, current }: { param?: string | null; code?: string | null; current?: unknown } = {},
): ErrorEnvelope {
  const error = { message, type: errorType(status), param, code };
  return { error: current === undefined ? error : { ...error, current } };
}

/** Codes of an engine whose process has ended and is started again: the same request is answered soon. */
export const RESTART_CODES: ReadonlySet<string | null> = new Set(['engine_restarted', 'engine_restarting']);

function readCode(value: unknown): string | null {
  if (typeof value === 'string' && value !== '') return value;
  const number = numberOr(value, null);
  return number === null ? null : String(number);
}

/** Only the start of an error body is read: a remote's page may be megabytes long. */
const MAX_READ_CHARACTERS = 20_000;

function shorten(text: string): string {
  const line = text
    .slice(0, MAX_READ_CHARACTERS)
    .replace(/<(style|script)\b[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > 500 ? `${line.slice(0, 500)}…` : line;
}

/** How many entries of a list of errors are read, and how many levels deep. */
const MAX_ENTRIES = 20;
const MAX_DEPTH = 6;
/** Fields that may hold the message, in search order. `errors`: JSON:API and GraphQL gateways. */
const MESSAGE_FIELDS = ['error', 'message', 'msg', 'detail', 'errors'] as const;

const NO_ERROR: ReadError = { message: '', code: null, param: null };

/** FastAPI's `["body","messages",0,"content"]` -> `messages[0].content`; null if it names no field. */
function toPath(loc: unknown): string | null {
  const [first, ...rest] = arrayOr(loc);
  const steps = first === 'body' || first === 'query' || first === 'path' ? rest : [first, ...rest];
  if (typeof steps[0] !== 'string') return null;
  return steps
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index > 0 ? '.' : ''}${String(step)}`))
    .join('');
}

function readList(list: readonly unknown[], depth: number): ReadError {
  const found = list.slice(0, MAX_ENTRIES).map((entry) => readValue(entry, depth));
  const first = found.find(({ message }) => message !== '');
  if (!first) return NO_ERROR;
  const more = list.length - 1;
  return more === 0 ? first : { ...first, message: `${first.message} (and ${more} more)` };
}

/** The text of a message field is kept whole. Any other text may be a whole page and is shortened. */
function readField(value: unknown, name: (typeof MESSAGE_FIELDS)[number], depth: number): ReadError {
  const isMessage = name === 'message' || name === 'msg' || name === 'detail';
  return isMessage && typeof value === 'string' ? { ...NO_ERROR, message: value } : readValue(value, depth);
}

/** The message is empty if there is none. */
function readValue(value: unknown, depth: number): ReadError {
  if (typeof value === 'string') return { ...NO_ERROR, message: shorten(value) };
  if (depth > MAX_DEPTH) return NO_ERROR;
  if (Array.isArray(value)) return readList(value, depth + 1);
  if (!isObject(value)) return NO_ERROR;
  const found = MESSAGE_FIELDS.map((name) => readField(value[name], name, depth + 1));
  const { message } = found.find((each) => each.message !== '') ?? NO_ERROR;
  const inner = {
    code: found.find(({ code }) => code !== null)?.code ?? null,
    param: found.find(({ param }) => param !== null)?.param ?? null,
  };
  const path = toPath(value['loc']);
  const param = inner.param ?? textOr(value['param'], null) ?? path;
  return {
    message: path === null || message === '' ? message : `${path}: ${message}`,
    code: inner.code ?? readCode(value['code']),
    param,
  };
}

/**
 * Reads an error body: `{error:{message,code}}`, `{error:"text"}`, `{message}`, `{detail}`, plain text or HTML;
 * FastAPI's `{detail:[{loc,msg}]}` (vLLM, SGLang; inside `message` from Mistral), Google's `[{error}]`, `{errors:[…]}`:
 * the first message, and the field that it names. `fallback` is the message if the body has none.
 */
export function readError(body: unknown, fallback: string): ReadError {
  const read = readValue(body, 0);
  return read.message === '' ? { ...read, message: fallback } : read;
}

/**
 * True for a body that has the form of an error. Some services send one with status 200, or in a stream.
 */
export function isErrorBody(body: unknown): boolean {
  if (Array.isArray(body)) return body.length > 0 && isErrorBody((body as readonly unknown[])[0]);
  if (!isObject(body)) return false;
  const error = body['error'];
  // Mistral and older versions of vLLM send no envelope: {"object":"error","message":…}.
  if ((error !== undefined && error !== null && error !== false) || body['object'] === 'error') return true;
  if (body['choices'] !== undefined) return false;
  const { detail, errors } = body;
  return (typeof detail === 'string' && detail !== '') || arrayOr(detail).length > 0 || arrayOr(errors).length > 0;
}
