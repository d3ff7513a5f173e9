// Stream events of a remote answer as events of our engine: the end comes once, with the usage; errors are thrown.
import type { FinishReason, Usage } from '#shared/contract/completion.ts';
import type { ReadUsage, StreamEvent } from '#shared/stream/events.ts';
import { EngineError, type EngineEvent } from '#server/engine/engine.ts';

/** Other reasons (or none at all) mean that the model ended by itself as far as SPEC 2.4 can say. */
const REASONS: ReadonlyMap<string | null, FinishReason> = new Map([
  ['length', 'length'],
  ['tool_calls', 'tool_calls'],
  ['function_call', 'tool_calls'],
  // The server held back what the model said: whoever takes that for an end of its own is misled.
  ['content_filter', 'content_filter'],
]);

/** SPEC 2.4 has whole numbers; a count below 0 or with a fraction is no count. */
const isCount = (value: number | null): value is number => value !== null && Number.isSafeInteger(value) && value >= 0;

/**
 * The usage as the server gave it, or null. Only a total that it left out is the sum of the two others, by definition.
 */
function toUsage(usage: ReadUsage | null): Usage | null {
  if (usage === null) return null;
  const { completion_tokens, prompt_tokens } = usage;
  if (!isCount(completion_tokens) || !isCount(prompt_tokens)) return null;
  const total_tokens = usage.total_tokens ?? completion_tokens + prompt_tokens;
  return isCount(total_tokens) ? { completion_tokens, prompt_tokens, total_tokens } : null;
}

export class UpstreamEvents {
  readonly #origin: string;
  readonly #redact: (text: string) => string;
  /** For each call the arguments that came before its name; null once the name was given out. */
  readonly #held = new Map<number, string | null>();
  #usage: ReadUsage | null = null;
  #isEnded = false;

  /** `origin` names the server in errors; `redact` keeps the key out of them. */
  constructor(origin: string, redact: (text: string) => string) {
    this.#origin = origin;
    this.#redact = redact;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /**
   * Throws EngineError 502 for an error inside the stream, for one that ends too early, and for a call without a name.
   */
  push(event: StreamEvent): readonly EngineEvent[] {
    switch (event.type) {
      case 'text-delta':
      case 'reasoning-delta':
        return [event];
      case 'tool-call-delta':
        return this.#toCall(event);
      case 'usage':
        this.#usage = event.usage;
        return [];
      case 'message-end':
        this.#assertNamed();
        this.#isEnded = true;
        return [
          {
            type: 'message-end',
            finish_reason: REASONS.get(event.finish_reason) ?? 'stop',
            usage: toUsage(this.#usage),
          },
        ];
      case 'stream-error':
        throw new EngineError(
          `The engine at ${this.#origin} stopped with an error: ${this.#redact(event.message)}`,
          502,
          this.#redact(event.code ?? 'upstream_failed'),
          event.param === null ? null : this.#redact(event.param),
        );
      case 'stream-interrupted':
        throw new EngineError(
          `The engine at ${this.#origin} broke off: ${event.reason} Try again.`,
          502,
          'upstream_interrupted',
        );
      case 'message-start':
      case 'timings':
        return [];
      default: {
        const missing: never = event;
        return missing;
      }
    }
  }

  /** A call that nobody can make out must not end as if it were one. */
  #assertNamed(): void {
    for (const [index, held] of this.#held) {
      if (held === null) continue;
      const message =
        `The engine at ${this.#origin} sent tool call ${index} without a name, so it can't be carried out. Try ` +
        "again; if it fails again, check that server's tool call parser.";
      throw new EngineError(message, 502, 'upstream_unreadable');
    }
  }

  #toCall({
    index,
    id,
    name,
    arguments: piece,
  }: Extract<StreamEvent, { type: 'tool-call-delta' }>): readonly EngineEvent[] {
    const held = this.#held.get(index) ?? '';
    if (this.#held.get(index) !== null && name === '') {
      this.#held.set(index, held + piece);
      return [];
    }
    const events: EngineEvent[] = [];
    if (this.#held.get(index) !== null) events.push({ type: 'tool-call-delta', index, id, name });
    this.#held.set(index, null);
    if (held + piece !== '') events.push({ type: 'tool-call-delta', index, arguments: held + piece });
    return events;
  }
}
