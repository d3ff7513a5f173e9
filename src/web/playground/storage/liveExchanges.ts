// Records of requests in memory: those that run, and those that are not stored yet.
import type { WireTap } from '#web/api/request.ts';
import { readSessionId } from '#web/playground/desk/deskStore.ts';
import { openRecorder, type Exchange, type Recorder } from './exchange.ts';

/** Where nothing can be stored, so many records stay. */
const MAX_KEPT = 60;

interface Entry {
  /** The session that asked. */
  readonly session: string;
  readonly recorder: Recorder;
}

const entries = new Map<string, Entry>();

/**
 * Begins the record of a request; the one before it for the same answer (the service had asked to wait) is left behind.
 */
export function openExchange(answerId: string): WireTap {
  const attempt = (findExchange(answerId)?.attempt ?? 0) + 1;
  const recorder = openRecorder({ attempt, now: () => performance.now(), wallClock: () => Date.now() });
  entries.delete(answerId);
  entries.set(answerId, { session: readSessionId(), recorder });
  for (const oldest of entries.keys()) {
    if (entries.size <= MAX_KEPT) break;
    entries.delete(oldest);
  }
  return recorder.tap;
}

/** The record as far as it goes. */
export const findExchange = (answerId: string): Exchange | null => entries.get(answerId)?.recorder.read() ?? null;
export const exchangeSession = (answerId: string): string => entries.get(answerId)?.session ?? '';
export const dropExchange = (answerId: string): void => void entries.delete(answerId);
export const exchangeIds = (): readonly string[] => [...entries.keys()];
