// The error of every failed request: what happened, and what a person can do next.
import { parseJson } from '#core/contract/readJson.ts';
import { readError } from '#core/contract/errors.ts';
import { parseRetryAfter } from '#core/contract/retryAfter.ts';

/**
 * `network`: no answer, or it took too long. `http`: a status >= 400. `shape`: an answer that can't be read. `aborted`:
 * stopped by the person or the page; not shown as an error.
 */
export type FailureKind = 'network' | 'http' | 'shape' | 'aborted';

interface FailureFields {
  readonly kind: FailureKind;
  readonly message: string;
  /** The next step, as a sentence. */
  readonly hint: string;
  readonly status?: number;
  readonly code?: string | null;
  readonly param?: string | null;
  readonly retryAfterMs?: number | null;
  readonly askedWaitMs?: number | null;
  readonly shouldRetry?: boolean | null;
  readonly requestId?: string | null;
  readonly isCostly?: boolean;
}

export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  readonly kind: FailureKind;
  readonly hint: string;
  /** The HTTP status; null when there was no answer. */
  readonly status: number | null;
  readonly code: string | null;
  /** The request field at fault, as a path such as `messages[1].role`. */
  readonly param: string | null;
  /** How long the service asks to wait, in milliseconds; null if it does not say, or asks for over 60 s. */
  readonly retryAfterMs: number | null;
  /** The same without the limit, for waits that a person watches. */
  readonly askedWaitMs: number | null;
  /** Whether the service says to try again (`x-should-retry`); null if it does not say. */
  readonly shouldRetry: boolean | null;
  /** Names this request in the service's log. */
  readonly requestId: string | null;
  /**
   * For kind `network`: the service was working on the answer, or part of it had arrived. Another request costs as much
   * again.
   */
  readonly isCostly: boolean;

  constructor(fields: FailureFields) {
    super(fields.message);
    this.kind = fields.kind;
    this.hint = fields.hint;
    this.status = fields.status ?? null;
    this.code = fields.code ?? null;
    this.param = fields.param ?? null;
    this.retryAfterMs = fields.retryAfterMs ?? null;
    this.askedWaitMs = fields.askedWaitMs ?? this.retryAfterMs;
    this.shouldRetry = fields.shouldRetry ?? null;
    this.requestId = fields.requestId ?? null;
    this.isCostly = fields.isCostly ?? false;
  }
}

const HINTS: Readonly<Record<number, string>> = {
  400: 'Change the request as the message says, then send it again.',
  401: 'Sign in with the link that the studio printed when it started.',
  403: 'Open the studio by the address that it printed at start, or ask whoever runs it for access.',
  404: 'It may have been deleted, or this studio does not have it. Choose another one.',
  408: 'Try again.',
  409: 'Something else changed it at the same time. Try again.',
  413: 'Shorten the conversation, then send it again.',
  415: 'Reload the page: it may be older than the studio.',
  422: 'Change the request as the message says, then send it again.',
  429: 'Wait a moment, then try again.',
  501: 'Do it in another way, as the message says: trying again changes nothing.',
  503: 'The studio is busy or starting. Try again in a moment.',
};

/** The codes of a gateway begin with `remote_`; all others are of an engine. Without a code it comes from a proxy. */
function toBadGatewayHint(code: string | null): string {
  if (code === 'remote_outcome_unknown')
    return 'Look in the remote studio whether the change is there, then reload the page.';
  if (code === null) return 'Check that the studio is running and that the proxy in front of it can reach it.';
  return code.startsWith('remote_')
    ? 'Check that the remote studio is running and can be reached from the machine that runs this one.'
    : "Change what the message names, or look at the engine's log. Then try again.";
}

function toHint(status: number, code: string | null): string {
  if (code === 'remote_not_offered') return HINTS[501] ?? '';
  if (code === 'read_only_token') return 'Ask whoever runs the studio for a token that may change things.';
  const hint = status === 502 ? toBadGatewayHint(code) : HINTS[status];
  if (hint !== undefined) return hint;
  return status >= 500 ? "Try again. If it stays, the studio's log says more." : (HINTS[400] ?? '');
}

function parseShouldRetry(text: string | null): boolean | null {
  if (text === 'true') return true;
  return text === 'false' ? false : null;
}

/** A status >= 400 with its body. `now` is Unix time in milliseconds, for a `Retry-After` that is a date. */
export function toHttpFailure(status: number, headers: Headers, text: string, now: number): ApiFailure {
  const { message, code, param } = readError(
    parseJson(text, text),
    `The service answered with status ${status} and did not say why.`,
  );
  return new ApiFailure({
    kind: 'http',
    message,
    hint: toHint(status, code),
    status,
    code,
    param,
    retryAfterMs: parseRetryAfter(headers, now),
    askedWaitMs: parseRetryAfter(headers, now, Infinity),
    shouldRetry: parseShouldRetry(headers.get('x-should-retry')),
    requestId: headers.get('x-request-id'),
  });
}

/** An answer with a good status but an unusable body. `reason` continues "…, but". */
export function toShapeFailure(status: number, headers: Headers, reason: string): ApiFailure {
  return new ApiFailure({
    kind: 'shape',
    message: `The service answered, but ${reason}.`,
    hint: 'Another program or a sign-in page may be answering at this address. Check it, then try again.',
    status,
    requestId: headers.get('x-request-id'),
  });
}

/** No answer at all, or only a part of it. `isCostly`: see ApiFailure. */
export function toNetworkFailure(reason: string, isCostly = false): ApiFailure {
  return new ApiFailure({
    kind: 'network',
    isCostly,
    message: reason,
    hint: 'Check that the studio is still running, then try again.',
  });
}

export function toAborted(): ApiFailure {
  return new ApiFailure({ kind: 'aborted', message: 'Stopped.', hint: 'Send it again to start over.' });
}

/** What a notice says of a failed request: the cause, and what to do next. */
export function toErrorWords(error: unknown): { readonly detail: string; readonly hint: string } {
  const detail = error instanceof Error ? error.message : String(error);
  return { detail, hint: error instanceof ApiFailure ? error.hint : 'Try again.' };
}

/** The service does not have it (404). */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === 404;
}

/** The service does not know who asks (401). */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === 401;
}
