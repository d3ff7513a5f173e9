// Stream events of a remote answer as events of our engine. The end comes once, with the usage. Errors are thrown.
import type { FinishReason, Usage } from '#core/contract/completion.ts';
import type { ReadUsage, StreamEvent, TokenLogprob } from '#core/stream/events.ts';
import { EngineError, type EngineEvent } from '#engine/engine.ts';

// ASSUMED: any other reason becomes `stop`: as far as SPEC 2.4 can say, the model ended by itself.
const REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['length', 'length'],
  ['tool_calls', 'tool_calls'],
  ['function_call', 'tool_calls'],
  // The server removed text of the model. `stop` would claim that the model ended by itself.
  ['content_filter', 'content_filter'],
]);

// ASSUMED: SPEC 2.4 has whole numbers, so a usage with a negative count or a fraction is left out.
const isCount = (value: number | null): value is number => value !== null && Number.isSafeInteger(value) && value >= 0;

/**
 * The usage that the server sent, or null if a count is invalid or nothing was counted. A missing total is the sum of the
 * other two.
 */
function toUsage(usage: ReadUsage | null): Usage | null {
  if (usage === null) return null;
  const { completion_tokens, prompt_tokens } = usage;
  if (!isCount(completion_tokens) || !isCount(prompt_tokens)) return null;
  // litgpt serve 0.5 does not count: every answer has 0 of each. A chat is never without a token.
  if (prompt_tokens === 0 && completion_tokens === 0) return null;
  const total_tokens = usage.total_tokens ?? completion_tokens + prompt_tokens;
  return isCount(total_tokens) ? { completion_tokens, prompt_tokens, total_tokens } : null;
}

export class UpstreamEvents {
  readonly #origin: string;
  readonly #redact: (text: string) => string;
  readonly #alternatives: number;
  /** For each call, the arguments that arrived before its name; null once the name was emitted. */
  readonly #bufferedArguments = new Map<number, string | null>();
  #usage: ReadUsage | null = null;
  #isEnded = false;

  /**
   * `origin` names the server in errors; `redact` keeps the key out of them. `alternatives`: how many of each token were asked
   * for. llama-server sends one where there are to be none.
   */
  constructor(origin: string, redact: (text: string) => string, alternatives = 0) {
    this.#origin = origin;
    this.#redact = redact;
    this.#alternatives = alternatives;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /**
   * Throws EngineError 502 for an error in the stream, for a stream that ends too early, and for a call without a name.
   */
  push(event: StreamEvent): readonly EngineEvent[] {
    switch (event.type) {
      case 'text-delta':
      case 'reasoning-delta':
        return [event];
      case 'logprobs':
        return [{ ...event, tokens: event.tokens.map((token) => this.#toAsked(token)) }];
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
            finish_reason: event.finish_reason === null ? null : (REASONS.get(event.finish_reason) ?? 'stop'),
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

  #toAsked(token: TokenLogprob): TokenLogprob {
    return { ...token, top_logprobs: token.top_logprobs.slice(0, this.#alternatives) };
  }

  /** An answer with an unnamed call must not end as complete: nobody can carry out that call. */
  #assertNamed(): void {
    for (const [index, buffered] of this.#bufferedArguments) {
      if (buffered === null) continue;
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
    const buffered = this.#bufferedArguments.get(index) ?? '';
    if (this.#bufferedArguments.get(index) !== null && name === '') {
      this.#bufferedArguments.set(index, buffered + piece);
      return [];
    }
    const events: EngineEvent[] = [];
    if (this.#bufferedArguments.get(index) !== null) events.push({ type: 'tool-call-delta', index, id, name });
    this.#bufferedArguments.set(index, null);
    if (buffered + piece !== '') events.push({ type: 'tool-call-delta', index, arguments: buffered + piece });
    return events;
  }
}
