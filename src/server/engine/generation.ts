// Answers one request with a model in memory: queue, prompt, tokens, end. Errors come before the first event.
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
import { countKept, evaluatePrompt, type Slot } from './slot.ts';
import { activeTools } from './toolChoice.ts';

/** What answers need besides a model. */
export interface Means {
  readonly runtime: LlamaRuntime;
  readonly compiler: Compiler;
}

interface Prepared {
  readonly tokens: readonly Token[];
  readonly answer: Answer;
  readonly grammar: LlamaGrammarEvaluationState | null;
  /** Most tokens that the answer can have. */
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

/** Characters that are in every prompt of these messages: templates drop old reasoning, but not what people write. */
function countWritten({ messages }: ChatRequest): number {
  return messages.reduce((sum, { role, content }) => sum + (role === 'user' ? (content?.trim().length ?? 0) : 0), 0);
}

/** Throws EngineError 400 for messages that can't fit whatever their tokens are. */
function assertFits({ vocabulary, plan }: ReadyModel, request: ChatRequest): void {
  const leastWritten = Math.ceil(countWritten(request) / vocabulary.longestPiece);
  if (leastWritten >= plan.contextSize) throw toOverflow(`at least ${leastWritten}`, plan.contextSize);
}

/** Throws EngineError 400 for what this model can't do. */
async function prepare(
  { vocabulary, plan, model }: ReadyModel,
  runtime: LlamaRuntime,
  request: ChatRequest,
  { pieces, grammar: gbnf }: Compiled,
): Promise<Prepared> {
  const { tools } = activeTools(request);
  const prompt = pieces.join('');
  // A prompt that can't fit whatever its tokens are is refused before the time is spent on cutting it up.
  const atLeast = Math.ceil(prompt.length / vocabulary.longestPiece);
  if (atLeast >= plan.contextSize) throw toOverflow(`at least ${atLeast}`, plan.contextSize);
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
 * ASSUMED: completion_tokens counts every token that was generated, the end mark included (as llama.cpp's and vLLM's
 * servers do).
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
 * The answer to a request (see LoadedModel.generate). `signal` is the only way to end it from outside. Prompt and
 * grammar are made when its turn comes: what waits costs nothing but its place.
 */
export async function* generate(
  ready: ReadyModel,
  means: Means,
  request: ChatRequest,
  signal: AbortSignal,
  caller: string,
): AsyncGenerator<EngineEvent, void> {
  const { slots, plan, template } = ready;
  const turn = await slots.enter(caller, signal);
  let compiling: Promise<Compiled> | null = null;
  try {
    assertFits(ready, request);
    compiling = means.compiler.prepare(request, template.source, signal);
    const compiled = await withAbort(compiling, signal);
    compiling = null;
    const prepared = await withAbort(prepare(ready, means.runtime, request, compiled), signal);
    const slot = turn.pick((free) => countKept(free, prepared.tokens, plan.promptStep));
    for await (const event of generateIn(slot, ready, request, prepared, signal)) {
      if (event.type === 'message-end') turn.complete();
      yield event;
    }
  } catch (error) {
    throw toFailure(error);
  } finally {
    // A worker may still compile for a caller who has left: until it is done, that is the caller's turn.
    if (compiling === null) turn.end();
    else compiling.then(turn.end, turn.end);
  }
}
