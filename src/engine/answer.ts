// Turns the tokens of one answer into events: text, stop sequences, reasoning, tool calls.
import { randomBytes } from 'node:crypto';
import type { Tool } from '#core/contract/chatMessage.ts';
import type { FinishReason } from '#core/contract/completion.ts';
import type { StreamEvent } from '#core/stream/events.ts';
import { thinkStep } from '#core/stream/thinkTags.ts';
import type { EngineEvent } from './engine.ts';
import { StopFilter } from './stopFilter.ts';
import type { TokenDecoder } from './tokenDecoder.ts';
import { ToolCallParser } from './toolCallParser.ts';

export interface AnswerOptions {
  readonly decoder: TokenDecoder;
  readonly stop: string | readonly string[] | undefined;
  /** Calls of these tools become events. Other calls stay text. */
  readonly tools: readonly Tool[];
  /** True if the prompt ends with an open `<think>`, so the answer begins with reasoning. */
  readonly startsInReasoning: boolean;
}

function createCallId(): string {
  return `call_${randomBytes(12).toString('hex')}`;
}

export class Answer {
  readonly #decoder: TokenDecoder;
  readonly #stop: StopFilter;
  readonly #think = thinkStep();
  readonly #calls: ToolCallParser | null;
  /** The event type of the text that the stop filter buffers. */
  #bufferedType: 'text-delta' | 'reasoning-delta' = 'text-delta';
  #hasCall = false;

  constructor({ decoder, stop, tools, startsInReasoning }: AnswerOptions) {
    this.#decoder = decoder;
    this.#stop = new StopFilter(stop);
    const names = new Set(tools.map((tool) => tool.function.name));
    this.#calls = names.size === 0 ? null : new ToolCallParser({ names, createId: createCallId });
    if (startsInReasoning) this.#think.push([{ type: 'text-delta', text: '<think>' }]);
  }

  /** True once a stop sequence was found. */
  get isStopped(): boolean {
    return this.#stop.isStopped;
  }

  /** The events that the next token adds. */
  push(token: number): readonly EngineEvent[] {
    const text = this.#decoder.push(token);
    return this.#calls === null ? this.#readText(this.#stop.push(text)) : this.#applyStops(this.#readText(text));
  }

  /** The buffered rest. Call it after the last token. */
  flush(): readonly EngineEvent[] {
    if (this.#calls === null) return [...this.#readText(this.#stop.flush()), ...this.#readSteps(this.#think.flush())];
    return [
      ...this.#applyStops([...this.#readSteps(this.#think.flush()), ...this.#calls.flush()]),
      ...this.#flushStop(),
    ];
  }

  /** The answer's finish_reason. `tool_calls` only if every call is complete. */
  toFinishReason(isCut: boolean): FinishReason {
    if (isCut) return 'length';
    return this.#calls !== null && this.#hasCall && this.#calls.callCount > 0 && !this.#calls.isBroken
      ? 'tool_calls'
      : 'stop';
  }

  #readText(text: string): readonly EngineEvent[] {
    return text === '' ? [] : this.#readSteps(this.#think.push([{ type: 'text-delta', text }]));
  }

  #readSteps(events: readonly StreamEvent[]): readonly EngineEvent[] {
    return events.flatMap((event): readonly EngineEvent[] => {
      if (event.type === 'text-delta') return this.#calls === null ? [event] : this.#calls.push(event.text);
      return event.type === 'reasoning-delta' ? [event] : [];
    });
  }

  /** Applies stop sequences to text and reasoning only: a call that is cut inside would be useless. */
  #applyStops(events: readonly EngineEvent[]): readonly EngineEvent[] {
    const out: EngineEvent[] = [];
    for (const event of events) {
      if (this.#stop.isStopped) break;
      if (event.type === 'text-delta' || event.type === 'reasoning-delta') {
        if (event.type !== this.#bufferedType) out.push(...this.#flushStop());
        this.#bufferedType = event.type;
        const text = this.#stop.push(event.text);
        if (text !== '') out.push({ type: event.type, text });
      } else {
        this.#hasCall ||= event.type === 'tool-call-delta';
        out.push(...this.#flushStop(), event);
      }
    }
    return out;
  }

  #flushStop(): readonly EngineEvent[] {
    const text = this.#stop.flush();
    return text === '' ? [] : [{ type: this.#bufferedType, text }];
  }
}
