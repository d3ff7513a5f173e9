// How many requests may wait in an engine: in all, and of one caller. Further requests get 429 and the time to wait.
import { EngineError } from './engine.ts';

export interface QueueLimits {
  readonly perCaller: number;
  readonly inAll: number;
}

/**
 * ASSUMED: SPEC 8 names no limits. A browser sends six requests at a time and the dashboard four; one caller may have
 * ten times that waiting.
 */
const QUEUE_LIMITS: QueueLimits = { perCaller: 64, inAll: 256 };

export interface QueueState {
  /** Seconds, at least 1, until a new request would be answered. */
  readonly seconds: number;
  /** A sentence about how many requests are answered at a time; may be empty. */
  readonly pace: string;
}

export class QueueBounds {
  readonly #limits: QueueLimits;
  readonly #callers = new Map<string, number>();
  #inAll = 0;

  constructor(limits: QueueLimits = QUEUE_LIMITS) {
    this.#limits = limits;
  }

  get waitingCount(): number {
    return this.#inAll;
  }

  /** Takes a place. Call the result once to return the place. Throws EngineError 429 if all places are taken. */
  enter(caller: string, readState: () => QueueState): () => void {
    const own = this.#callers.get(caller) ?? 0;
    if (own >= this.#limits.perCaller) {
      throw this.#refuse(
        `${own} of your requests are waiting already, the most for one caller.`,
        'too_many_waiting',
        readState(),
      );
    }
    if (this.#inAll >= this.#limits.inAll)
      throw this.#refuse(`The queue is full: ${this.#inAll} requests are waiting.`, 'queue_full', readState());
    this.#callers.set(caller, own + 1);
    this.#inAll += 1;
    return () => this.#leave(caller);
  }

  #leave(caller: string): void {
    const remaining = (this.#callers.get(caller) ?? 0) - 1;
    if (remaining > 0) this.#callers.set(caller, remaining);
    else this.#callers.delete(caller);
    this.#inAll -= 1;
  }

  #refuse(reason: string, code: string, { seconds, pace }: QueueState): EngineError {
    const message = [reason, pace, `Send this request again in ${seconds} s.`].filter(Boolean).join(' ');
    return new EngineError(message, 429, code, null, String(seconds));
  }
}
