// One error envelope (SPEC 7 leaves it open; ASSUMED: OpenAI's form) and a reader of every form seen in the field.
import { isObject, numberOr, textOr } from './reading';

/** What our service sends with every status >= 400. */
export interface ErrorEnvelope {
  readonly error: {
    readonly message: string;
    readonly type: string;
    /** The request field at fault, as a path such as `messages[1].role`. */
    readonly param: string | null;
    readonly code: string | null;
  };
}

/** The parts of an error that a reader could find; the message is never empty. */
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
  detail: { param?: string | null; code?: string | null } = {},
): ErrorEnvelope {
  return {
    error: { message, type: errorType(status), param: detail.param ?? null, code: detail.code ?? null },
  };
}

function readCode(value: unknown): string | null {
  if (typeof value === 'string' && value !== '') return value;
  const number = numberOr(value, null);
  return number === null ? null : String(number);
}

/** More of an error body than this is not looked at: a remote's page may be megabytes long. */
const READ_CHARACTERS = 20_000;

function shorten(text: string): string {
  const line = text.slice(0, READ_CHARACTERS).replace(/<(style|script)\b[\s\S]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ').trim();
  return line.length > 500 ? `${line.slice(0, 500)}…` : line;
}

/**
 * Reads an error body: `{error:{message,code}}`, `{error:"text"}`, `{message}`, `{detail}`, plain text or HTML.
 * `fallback` is the message when the body says nothing.
 */
export function readError(body: unknown, fallback: string): ReadError {
  if (typeof body === 'string') return { message: shorten(body) || fallback, code: null, param: null };
  if (!isObject(body)) return { message: fallback, code: null, param: null };
  const inner = body['error'] ?? body;
  if (typeof inner === 'string') return { message: shorten(inner) || fallback, code: null, param: null };
  if (!isObject(inner)) return { message: fallback, code: null, param: null };
  const message = textOr(inner['message'], '') || textOr(inner['detail'], '') || textOr(body['message'], '');
  return { message: message || fallback, code: readCode(inner['code']), param: textOr(inner['param'], null) };
}
