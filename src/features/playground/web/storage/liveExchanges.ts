// Records of requests in memory: running ones, and those that are not stored yet.
import type { WireTap } from '#ui/client/request.ts';
import { readSessionId } from '#features/playground/web/desk/deskStore.ts';
import { openRecorder, type Exchange, type Recorder } from './exchange.ts';

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
