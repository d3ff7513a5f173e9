// Compiles a request: the grammar of its answer and the text of its prompt. Pure except for its cache.
// compileEntry.ts runs it in a thread that can be ended.
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import { toBusy } from './busyMachine.ts';
import type { ChatTemplate } from './chatTemplate.ts';
import { EngineError } from './engine.ts';
import { toResponseGrammar } from './responseGrammar.ts';
import { activeTools } from './toolChoice.ts';
import { MAX_STEPS, OutOfTime, WorkBudget } from '#core/schema/workBudget.ts';

export type CompileRequest = Pick<ChatRequest, 'messages' | 'tools' | 'tool_choice' | 'response_format'>;

export interface Compiled {
  /** The prompt, in pieces that are tokenized one by one (see ChatTemplate). */
  readonly pieces: readonly string[];
  /** The grammar that the answer must follow; null if it is free text. */
  readonly grammar: string | null;
}

export interface CompileLimits {
  /** Time for the grammar. */
  readonly limitMs: number;
  /** Called with the field that is compiled next. */
  readonly onPart: (param: string) => void;
}

/** Grammars are cached by their source, because a caller sends the same schema many times. */
const MAX_CACHED_GRAMMARS = 32;
const MAX_CACHED_TEXT = 256 * 1024;

export class GrammarCache {
  readonly #grammars = new Map<string, string | null>();

  /** The grammar for a request. Throws EngineError 400. */
  read({ tools, tool_choice, response_format }: CompileRequest, { onPart, limitMs }: CompileLimits): string | null {
    const key = JSON.stringify([tools, tool_choice, response_format]);
    const cached = this.#grammars.get(key);
    if (cached !== undefined) {
      this.#grammars.delete(key);
      this.#grammars.set(key, cached);
      return cached;
    }
    const until = performance.now() + limitMs;
    const budget = new WorkBudget(MAX_STEPS, () => performance.now() > until);
    const grammar = toResponseGrammar({ tools, tool_choice, response_format }, onPart, budget);
    if (key.length + (grammar?.length ?? 0) > MAX_CACHED_TEXT) return grammar;
    this.#grammars.set(key, grammar);
    const [oldest] = this.#grammars.keys();
    if (this.#grammars.size > MAX_CACHED_GRAMMARS && oldest !== undefined) this.#grammars.delete(oldest);
    return grammar;
  }
}

/**
 * Throws EngineError 400 if a schema can't be enforced, the template refuses the messages or the work is too much, and
 * 503 if the time runs out first.
 */
export function compileRequest(
  request: CompileRequest,
  template: ChatTemplate,
  grammars: GrammarCache,
  limits: CompileLimits,
): Compiled {
  const grammar = compileGrammar(request, grammars, limits);
  limits.onPart('messages');
  return { grammar, pieces: template.render(request.messages, activeTools(request).tools) };
}

function compileGrammar(
  request: CompileRequest,
  grammars: GrammarCache,
  { limitMs, onPart }: CompileLimits,
): string | null {
  let part = 'response_format';
  try {
    return grammars.read(request, {
      limitMs,
      onPart: (param) => {
        part = param;
        onPart(param);
      },
    });
  } catch (error) {
    if (error instanceof OutOfTime) throw toBusy(part);
    if (!(error instanceof RangeError)) throw error;
    // Thousands of nested references have used up the stack.
    const message = 'The schema is nested too deep to be compiled. Make it flatter.';
    throw new EngineError(message, 400, 'unsupported_schema', part);
  }
}
