// The answers that are generated now. Their events go to the service many at a time, and wait for a reader who is slow.
import type { EngineEvent } from '#engine/engine.ts';
import { toErrorData, type ErrorData } from '#engine/errorData.ts';
import { AHEAD, type AnswerOrder, type FromHost } from './hostMessages.ts';

export interface Answers {
  begin(number: number, order: AnswerOrder): void;
  /** So many events of it were read. */
  read(number: number, events: number): void;
  leave(number: number): void;
}

interface Running {
  readonly controller: AbortController;
  /** Events that are on their way and were not read yet. */
  unread: number;
  /** Goes on with an answer whose reader was slow. */
  wake: () => void;
}

/** Least milliseconds between two messages with events: a picture of a screen. A message costs more than a token. */
const GATHER_MS = 16;

/** Gathers the events of all answers. */
function openOutbox(post: (message: FromHost) => void) {
  let events = new Map<number, EngineEvent[]>();
  let timer: NodeJS.Timeout | null = null;
  let sentAt = -Infinity;
  function send(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (events.size === 0) return;
    post({ events: [...events] });
    events = new Map();
    sentAt = performance.now();
  }
  return {
    send,
    add(number: number, event: EngineEvent): void {
      const waiting = events.get(number);
      if (waiting === undefined) events.set(number, [event]);
      else waiting.push(event);
      const left = sentAt + GATHER_MS - performance.now();
      if (left <= 0) send();
      else timer ??= setTimeout(send, left);
    },
  };
}

function toFailure(error: unknown): ErrorData {
  const reason = error instanceof Error ? error.message : String(error);
  const message = `The model stopped with an error: ${reason}. Send the request again; if it fails again, restart the studio.`;
  return { message, status: 500, code: 'generation_failed', param: null, retryAfter: null };
}

/** `post` sends a message to the service. */
export function openAnswers(
  generate: (order: AnswerOrder, signal: AbortSignal) => AsyncIterable<EngineEvent>,
  post: (message: FromHost) => void,
): Answers {
  const answers = new Map<number, Running>();
  const outbox = openOutbox(post);

  async function run(number: number, order: AnswerOrder, running: Running): Promise<void> {
    const { signal } = running.controller;
    let error: ErrorData | null = null;
    try {
      for await (const event of generate(order, signal)) {
        running.unread += 1;
        outbox.add(number, event);
        while (running.unread >= AHEAD && !signal.aborted) {
          await new Promise<void>((resolve) => {
            running.wake = resolve;
          });
        }
      }
    } catch (thrown) {
      if (!signal.aborted) error = toErrorData(thrown) ?? toFailure(thrown);
    }
    outbox.send();
    answers.delete(number);
    post({ ended: number, error });
  }

  return {
    begin(number, order) {
      const running: Running = { controller: new AbortController(), unread: 0, wake: () => undefined };
      answers.set(number, running);
      void run(number, order, running);
    },
    read(number, events) {
      const running = answers.get(number);
      if (running === undefined) return;
      running.unread -= events;
      running.wake();
    },
    leave(number) {
      const running = answers.get(number);
      running?.controller.abort();
      running?.wake();
    },
  };
}
