// The record of one answer: the exact request and the raw response, with times. Pure; clocks come in as arguments.
// Secrets stay out: only headers on a list are recorded.
import type { WireTap } from '#ui/client/request.ts';
import { arrayOr, isObject, numberOr, textOr } from '#core/contract/readJson.ts';
import { readSessionId } from '#features/playground/web/desk/deskStore.ts';

type HeaderList = readonly (readonly [name: string, value: string])[];

/** Plain data, stored under the id of its answer. Times: milliseconds since the request was sent. */
export interface Exchange {
  readonly version: 1;
  /** Unix milliseconds. */
  readonly sentAt: number;
  /** 1 for the first request; more after the service asked to retry later. */
  readonly attempt: number;
  readonly method: string;
  readonly path: string;
  readonly requestHeaders: HeaderList;
  /** The body's exact text. */
  readonly requestBody: string;
  /** null: no response head arrived. */
  readonly status: number | null;
  readonly headMs: number | null;
  readonly responseHeaders: HeaderList;
  /** The body as received, without the cut part. */
  readonly raw: string;
  /** Where each network read ends in `raw`, and when it arrived. Both lists have the same length. */
  readonly ends: readonly number[];
  readonly times: readonly number[];
  /** The part left out of a body that is too long: its offset in `raw` and its length. */
  readonly cut: { readonly at: number; readonly characters: number } | null;
}

/** A long body keeps this many characters at its start and this many at its end; the middle is left out. */
const KEPT_CHARACTERS = 1_000_000;

const REQUEST_HEADERS = /^(accept|content-type|x-request-id)$/;
const RESPONSE_HEADERS =
  /^(content-(type|length|encoding)|date|server|server-timing|via|age|cache-control|retry-after|x-should-retry|x-(request|correlation|trace)-id|request-id|traceparent|x-ratelimit-[a-z-]+|ratelimit[a-z-]*|openai-[a-z-]+)$/;

function pickHeaders(headers: Iterable<readonly [string, string]>, allowed: RegExp): HeaderList {
  return [...headers]
    .filter(([name]) => allowed.test(name.toLowerCase()))
    .map(([name, value]) => [name.toLowerCase(), value] as const);
}

/** The last characters of the body, as pieces in order of arrival. */
interface Tail {
  texts: string[];
  times: number[];
  from: number;
  length: number;
}

export interface Recorder {
  readonly tap: WireTap;
  /** The record so far; null before anything is sent. */
  readonly read: () => Exchange | null;
}

interface RecorderDeps {
  readonly attempt: number;
  /** A clock for durations, in milliseconds. */
  readonly now: () => number;
  /** Unix milliseconds. */
  readonly wallClock: () => number;
  readonly kept?: number;
}

/** Records one request. While an answer streams, each network read adds an entry to two lists. */
export function openRecorder({ attempt, now, wallClock, kept = KEPT_CHARACTERS }: RecorderDeps): Recorder {
  type Sent = Pick<Exchange, 'sentAt' | 'method' | 'path' | 'requestHeaders' | 'requestBody'>;
  let sent: Sent | null = null;
  let startedAt = 0;
  let head: Pick<Exchange, 'status' | 'headMs' | 'responseHeaders'> = {
    status: null,
    headMs: null,
    responseHeaders: [],
  };
  const texts: string[] = [];
  const times: number[] = [];
  let length = 0;
  const tail: Tail = { texts: [], times: [], from: 0, length: 0 };
  let leftOut = 0;

  const pushTail = (text: string, time: number): void => {
    const piece = text.length > kept ? text.slice(-kept) : text;
    leftOut += text.length - piece.length;
    tail.texts.push(piece);
    tail.times.push(time);
    tail.length += piece.length;
    for (
      let first = tail.texts[tail.from];
      first !== undefined && tail.length - first.length >= kept;
      first = tail.texts[tail.from]
    ) {
      tail.texts[tail.from] = '';
      tail.from += 1;
      tail.length -= first.length;
      leftOut += first.length;
    }
    if (tail.from < 4096) return;
    tail.texts = tail.texts.slice(tail.from);
    tail.times = tail.times.slice(tail.from);
    tail.from = 0;
  };

  const tap: WireTap = {
    onSent: ({ method, path, headers, body }) => {
      startedAt = now();
      sent = {
        sentAt: wallClock(),
        method,
        path,
        requestHeaders: pickHeaders(Object.entries(headers), REQUEST_HEADERS),
        requestBody: body,
      };
    },
    onHead: ({ status, headers }) => {
      head = { status, headMs: now() - startedAt, responseHeaders: pickHeaders(headers, RESPONSE_HEADERS) };
    },
    onText: (text) => {
      const time = now() - startedAt;
      const room = kept - length;
      if (room >= text.length) {
        texts.push(text);
        times.push(time);
        length += text.length;
        return;
      }
      if (room > 0) {
        texts.push(text.slice(0, room));
        times.push(time);
        length = kept;
      }
      pushTail(room > 0 ? text.slice(room) : text, time);
    },
  };

  const read = (): Exchange | null => {
    if (!sent) return null;
    const all = [...texts, ...tail.texts.slice(tail.from)];
    let end = 0;
    const ends = all.map((text) => (end += text.length));
    return {
      version: 1,
      attempt,
      ...sent,
      ...head,
      raw: all.join(''),
      ends,
      times: [...times, ...tail.times.slice(tail.from)],
      cut: leftOut === 0 ? null : { at: length, characters: leftOut },
    };
  };
  return { tap, read };
}

const toHeaders = (value: unknown): HeaderList =>
  arrayOr(value).flatMap((entry) =>
    Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'string'
      ? [[entry[0], entry[1]] as const]
      : [],
  );

const toNumbers = (value: unknown): readonly number[] => arrayOr(value).filter((entry) => typeof entry === 'number');

/** Parses a stored record; null if it is invalid or from a newer studio. */
export function parseExchange(value: unknown): Exchange | null {
  if (!isObject(value) || value['version'] !== 1 || typeof value['requestBody'] !== 'string') return null;
  const ends = toNumbers(value['ends']);
  const times = toNumbers(value['times']);
  if (ends.length !== times.length) return null;
  const { cut } = value;
  return {
    version: 1,
    sentAt: numberOr(value['sentAt'], 0),
    attempt: numberOr(value['attempt'], 1),
    method: textOr(value['method'], 'POST'),
    path: textOr(value['path'], ''),
    requestHeaders: toHeaders(value['requestHeaders']),
    requestBody: value['requestBody'],
    status: numberOr(value['status'], null),
    headMs: numberOr(value['headMs'], null),
    responseHeaders: toHeaders(value['responseHeaders']),
    raw: textOr(value['raw'], ''),
    ends,
    times,
    cut: isObject(cut) ? { at: numberOr(cut['at'], 0), characters: numberOr(cut['characters'], 0) } : null,
  };
}

// Records of requests in memory: running ones, and those that are not stored yet.

/** Bounds memory where nothing can be stored. */
const MAX_RECORDS = 60;

interface Entry {
  /** The session that sent the request. */
  readonly session: string;
  readonly recorder: Recorder;
}

const entries = new Map<string, Entry>();

/**
 * Begins the record of a request. It replaces an earlier record of the same answer, made when the service asked to
 * wait.
 */
export function openExchange(answerId: string): WireTap {
  const attempt = (findExchange(answerId)?.attempt ?? 0) + 1;
  const recorder = openRecorder({ attempt, now: () => performance.now(), wallClock: () => Date.now() });
  entries.delete(answerId);
  entries.set(answerId, { session: readSessionId(), recorder });
  for (const oldest of entries.keys()) {
    if (entries.size <= MAX_RECORDS) break;
    entries.delete(oldest);
  }
  return recorder.tap;
}

/** The record so far. */
export const findExchange = (answerId: string): Exchange | null => entries.get(answerId)?.recorder.read() ?? null;
export const exchangeSession = (answerId: string): string => entries.get(answerId)?.session ?? '';
export const dropExchange = (answerId: string): void => void entries.delete(answerId);
export const exchangeIds = (): readonly string[] => [...entries.keys()];
