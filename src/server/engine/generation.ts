// Answers one request with a model in memory: queue, prompt, tokens, end. A refused request fails before any event.
import type { LlamaGrammarEvaluationState, LlamaModel, Token } from 'node-llama-cpp';
import type { ChatRequest } from '#shared/contract/chatRequest.ts';
import { throwIfAborted, withAbort } from './abort.ts';
import { Answer } from './answer.ts';
import type { Compiled } from './compileJob.ts';
import type { Compiler } from './compiler.ts';
import { EngineError, type EngineEvent } from './engine.ts';
import type { LlamaRuntime } from './llamaRuntime.ts';
import type { ReadyModel } from './modelCache.ts';
import { toSampling } from './sampling.ts';
import { countReusable, evaluatePrompt, type Slot } from './slot.ts';
import { activeTools } from './toolChoice.ts';

/** What an answer needs besides a model. */
export interface GenerationDeps {
  readonly runtime: LlamaRuntime;
  readonly compiler: Compiler;
}

interface Prepared {
  readonly tokens: readonly Token[];
  readonly answer: Answer;
  readonly grammar: LlamaGrammarEvaluationState | null;
  /** Maximum number of tokens of the answer. */
  readonly limit: number;
}

function toOverflow(count: string, contextSize: number): EngineError {
  const message =
    `The messages have ${count} tokens, but this model's context holds ${contextSize}, answer included. Shorten ` +
    'the conversation.';
  return new EngineError(message, 400, 'context_length_exceeded', 'messages');
}

async function openGrammar(
  runtime: LlamaRuntime,
  model: LlamaModel,
  gbnf: string,
): Promise<LlamaGrammarEvaluationState> {
  try {
    return await runtime.openGrammar(model, gbnf);
  } catch {
    throw new EngineError(
      "llama.cpp can't enforce this schema. Make it simpler.",
      400,
      'unsupported_schema',
      'response_format',
    );
  }
}

/** Characters that every prompt of these messages has: templates drop old reasoning, but no text of a user. */
function countUserCharacters({ messages }: ChatRequest): number {
  return messages.reduce((sum, { role, content }) => sum + (role === 'user' ? (content?.trim().length ?? 0) : 0), 0);
}

/** Throws EngineError 400 for messages that can't fit, however few tokens they need. */
function assertFits({ vocabulary, plan }: ReadyModel, request: ChatRequest): void {
  const leastTokens = Math.ceil(countUserCharacters(request) / vocabulary.longestPiece);
  if (leastTokens >= plan.contextSize) throw toOverflow(`at least ${leastTokens}`, plan.contextSize);
}

/** Tokens, grammar and limit of an answer. Throws EngineError 400 for a request that this model can't answer. */
async function prepare(
  { vocabulary, plan, model }: ReadyModel,
  runtime: LlamaRuntime,
  request: ChatRequest,
  { pieces, grammar: gbnf }: Compiled,
): Promise<Prepared> {
  const { tools } = activeTools(request);
  const prompt = pieces.join('');
  // Tokenizing takes time, so a prompt that can't fit is refused before.
  const leastTokens = Math.ceil(prompt.length / vocabulary.longestPiece);
  if (leastTokens >= plan.contextSize) throw toOverflow(`at least ${leastTokens}`, plan.contextSize);
  const tokens = vocabulary.tokenize(pieces);
  if (tokens.length === 0)
    throw new EngineError(
      'The conversation gives an empty prompt. Send at least one message with text.',
      400,
      'empty_prompt',
      'messages',
    );
  if (tokens.length >= plan.contextSize) throw toOverflow(String(tokens.length), plan.contextSize);
  const decoder = vocabulary.openDecoder(tokens, gbnf !== null);
  return {
    tokens,
    answer: new Answer({ decoder, stop: request.stop, tools, startsInReasoning: /<think>\s*$/.test(prompt) }),
    grammar: gbnf === null ? null : await openGrammar(runtime, model, gbnf),
    limit: Math.min(request.max_completion_tokens ?? plan.contextSize, plan.contextSize - tokens.length),
  };
}

function toFailure(error: unknown): Error {
  if (error instanceof EngineError || (error instanceof Error && error.name === 'AbortError')) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new EngineError(
    `The model stopped with an error: ${reason}. Send the request again; if it fails again, restart the studio.`,
    500,
    'generation_failed',
  );
}

/**
 * ASSUMED: completion_tokens counts every generated token, including the end mark, as the servers of llama.cpp and vLLM
 * do.
 */
async function* generateIn(
  slot: Slot,
  ready: ReadyModel,
  request: ChatRequest,
  prepared: Prepared,
  signal: AbortSignal,
): AsyncGenerator<EngineEvent, void> {
  const { tokens, answer, grammar, limit } = prepared;
  const { vocabulary, plan } = ready;
  const generated: Token[] = [];
  const options = toSampling(request, generated, limit);
  const last = await evaluatePrompt(slot, tokens, plan.promptStep, signal);
  const iterator = slot.sequence.evaluateWithMetadata(
    last,
    {},
    grammar === null ? options : { ...options, grammarEvaluationState: grammar },
  );
  let count = 0;
  let isCut = false;
  try {
    for (;;) {
      const step = await iterator.next();
      throwIfAborted(signal);
      if (step.done === true) break;
      const { token } = step.value;
      count += 1;
      if (vocabulary.isEnd(token)) break;
      generated.push(token);
      for (const event of answer.push(token)) yield event;
      if (answer.isStopped) break;
      if (count >= limit) {
        isCut = true;
        break;
      }
    }
  } finally {
    await iterator.return();
  }
  for (const event of answer.flush()) yield event;
  const usage = { completion_tokens: count, prompt_tokens: tokens.length, total_tokens: tokens.length + count };
  yield { type: 'message-end', finish_reason: answer.toFinishReason(isCut), usage };
}

/**
 * The answer to a request (see LoadedModel.generate). Only `signal` ends it from outside. Prompt and grammar are made
 * after the wait, so a waiting request costs nothing but its place in the queue.
 */
export async function* generate(
  ready: ReadyModel,
  deps: GenerationDeps,
  request: ChatRequest,
  signal: AbortSignal,
  caller: string,
): AsyncGenerator<EngineEvent, void> {
  const { slots, plan, template } = ready;
  const lease = await slots.enter(caller, signal);
  let compiling: Promise<Compiled> | null = null;
  try {
    assertFits(ready, request);
    compiling = deps.compiler.prepare(request, template.source, signal);
    const compiled = await withAbort(compiling, signal);
    compiling = null;
    const prepared = await withAbort(prepare(ready, deps.runtime, request, compiled), signal);
    const slot = lease.pick((free) => countReusable(free, prepared.tokens, plan.promptStep));
    for await (const event of generateIn(slot, ready, request, prepared, signal)) {
      if (event.type === 'message-end') lease.complete();
      yield event;
    }
  } catch (error) {
    throw toFailure(error);
  } finally {
    // If the caller has left, a worker may still compile. The caller's slot stays taken until the worker is done.
    if (compiling === null) lease.end();
    else compiling.then(lease.end, lease.end);
  }
}
