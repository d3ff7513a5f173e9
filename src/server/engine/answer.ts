// From tokens to the events of one answer: text, stop sequences, reasoning, tool calls.
import { randomBytes } from 'node:crypto';
import type { Tool } from '#shared/contract/chatMessage.ts';
import type { FinishReason } from '#shared/contract/completion.ts';
import type { StreamEvent } from '#shared/stream/events.ts';
import { thinkStep } from '#shared/stream/thinkTags.ts';
import type { EngineEvent } from './engine.ts';
import { StopFilter } from './stopFilter.ts';
import type { TokenDecoder } from './tokenDecoder.ts';
import { ToolCallParser } from './toolCallParser.ts';

export interface AnswerOptions {
  readonly decoder: TokenDecoder;
  readonly stop: string | readonly string[] | undefined;
  /** Tools whose calls are taken out of the text; empty: calls stay text. */
  readonly tools: readonly Tool[];
  /** The template has opened the reasoning already, so the answer begins inside it. */
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
  /** What the stop filter holds back, if anything, is of this kind. */
  #kind: 'text-delta' | 'reasoning-delta' = 'text-delta';
  #hasCall = false;

  constructor({ decoder, stop, tools, startsInReasoning }: AnswerOptions) {
    this.#decoder = decoder;
    this.#stop = new StopFilter(stop);
    const names = new Set(tools.map((tool) => tool.function.name));
    this.#calls = names.size === 0 ? null : new ToolCallParser({ names, createId: createCallId });
    if (startsInReasoning) this.#think.push([{ type: 'text-delta', text: '<think>' }]);
  }

  /** True once a stop sequence has come. */
  get isStopped(): boolean {
    return this.#stop.isStopped;
  }

  /** What the next token adds. */
  push(token: number): readonly EngineEvent[] {
    const text = this.#decoder.push(token);
    return this.#calls === null ? this.#take(this.#stop.push(text)) : this.#cut(this.#take(text));
  }

  /** What was held back, once no token follows. */
  flush(): readonly EngineEvent[] {
    if (this.#calls === null) return [...this.#take(this.#stop.flush()), ...this.#read(this.#think.flush())];
    return [...this.#cut([...this.#read(this.#think.flush()), ...this.#calls.flush()]), ...this.#release()];
  }

  /** The reason to give at the end. Calls count only when all of them came whole. */
  toFinishReason(isCut: boolean): FinishReason {
    if (isCut) return 'length';
    return this.#calls !== null && this.#hasCall && this.#calls.callCount > 0 && !this.#calls.isBroken
      ? 'tool_calls'
      : 'stop';
  }

  #take(text: string): readonly EngineEvent[] {
    return text === '' ? [] : this.#read(this.#think.push([{ type: 'text-delta', text }]));
  }

  #read(events: readonly StreamEvent[]): readonly EngineEvent[] {
    return events.flatMap((event): readonly EngineEvent[] => {
      if (event.type === 'text-delta') return this.#calls === null ? [event] : this.#calls.push(event.text);
      return event.type === 'reasoning-delta' ? [event] : [];
    });
  }

  /**
   * Where calls may come, stop sequences are looked for in the words around them: cut inside, a call would be useless.
   */
  #cut(events: readonly EngineEvent[]): readonly EngineEvent[] {
    const out: EngineEvent[] = [];
    for (const event of events) {
      if (this.#stop.isStopped) break;
      if (event.type === 'text-delta' || event.type === 'reasoning-delta') {
        if (event.type !== this.#kind) out.push(...this.#release());
        this.#kind = event.type;
        const text = this.#stop.push(event.text);
        if (text !== '') out.push({ type: event.type, text });
      } else {
        this.#hasCall ||= event.type === 'tool-call-delta';
        out.push(...this.#release(), event);
      }
    }
    return out;
  }

  #release(): readonly EngineEvent[] {
    const text = this.#stop.flush();
    return text === '' ? [] : [{ type: this.#kind, text }];
  }
}
