// Stores answers as they come, many in one transaction. What is not stored yet when the service is killed is asked again.
import { setTimeout as wait } from 'node:timers/promises';
import { isUnavailable } from '#service/database/unavailable.ts';
import type { NewAnswer } from './answers.ts';

export interface AnswerWriter {
  /** Resolves once there is room for more. */
  add(answer: NewAnswer): Promise<void>;
  /** All that was added is stored. */
  finish(): Promise<void>;
}

export interface WriterOptions {
  /** Stores them in one transaction. */
  readonly store: (answers: readonly NewAnswer[]) => Promise<void>;
  /** It can't be stored at all. */
  readonly onFailure: (error: unknown) => void;
  readonly signal: AbortSignal;
}

/** Answers of one transaction, and how long the first of them waits for others. */
const BATCH = 64;
const GATHER_MS = 200;
/** So many may wait while the database is slow; then no more is asked. */
const MOST_WAITING = 512;
const RETRY_MS = 1_000;

export function openAnswerWriter({ store, onFailure, signal }: WriterOptions): AnswerWriter {
  let waiting: NewAnswer[] = [];
  let timer: NodeJS.Timeout | null = null;
  let storing: Promise<void> | null = null;

  async function storeOnce(batch: readonly NewAnswer[]): Promise<void> {
    for (;;) {
      try {
        return await store(batch);
      } catch (error) {
        if (!isUnavailable(error) || signal.aborted) return onFailure(error);
        await wait(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  async function storeAll(): Promise<void> {
    while (waiting.length > 0 && !signal.aborted) {
      const batch = waiting.slice(0, BATCH);
      waiting = waiting.slice(BATCH);
      await storeOnce(batch);
    }
  }

  function start(): Promise<void> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    storing ??= storeAll().finally(() => {
      storing = null;
    });
    return storing;
  }

  return {
    async add(answer) {
      waiting.push(answer);
      if (waiting.length >= BATCH) void start();
      else timer ??= setTimeout(() => void start(), GATHER_MS);
      while (waiting.length >= MOST_WAITING && !signal.aborted) await start();
    },
    async finish() {
      while (waiting.length > 0 && !signal.aborted) await start();
      await storing;
      if (timer !== null) clearTimeout(timer);
    },
  };
}
