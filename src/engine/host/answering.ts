// One answer of a model in memory: prompt, tokens, events. Runs beside llama.cpp.
import type { LlamaContext, LlamaGrammarEvaluationState, LlamaModel, Token } from 'node-llama-cpp';
import { throwIfAborted } from '#engine/abort.ts';
import { Answer } from '#engine/answer.ts';
import type { Compiled } from '#engine/compileJob.ts';
import type { ContextPlan } from '#engine/contextPlan.ts';
import { EngineError, toOverflow, type EngineEvent } from '#engine/engine.ts';
import type { LlamaRuntime } from '#engine/llamaRuntime.ts';
import { toSampling } from '#engine/sampling.ts';
import { evaluatePrompt, type Slot } from '#engine/slot.ts';
import { activeTools } from '#engine/toolChoice.ts';
import type { Vocabulary } from '#engine/vocabulary.ts';
import type { AnswerRequest } from './hostMessages.ts';
import { toTokenLogprob, type Probabilities } from './tokenScores.ts';

/** A model with its contexts. */
export interface OpenModel {
  readonly model: LlamaModel;
  /** One for each answer at a time. */
  readonly contexts: readonly LlamaContext[];
  readonly vocabulary: Vocabulary;
  readonly plan: ContextPlan;
}

/** What is known of an answer before its first token. */
export interface Prepared {
  readonly tokens: readonly Token[];
  readonly answer: Answer;
  readonly grammar: LlamaGrammarEvaluationState | null;
  /** Maximum number of tokens of the answer. */
  readonly limit: number;
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

/** Tokens, grammar and limit of an answer. Throws EngineError 400 for a request that this model can't answer. */
export async function prepare(
  { vocabulary, plan, model }: OpenModel,
  runtime: LlamaRuntime,
  request: AnswerRequest,
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

/**
 * The events of an answer. An abort takes effect between two steps (AbortError).
 * ASSUMED: completion_tokens counts every generated token, including the end mark, as the servers of llama.cpp and vLLM
 * do.
 */
export async function* generateTokens(
  slot: Slot,
  { vocabulary, plan }: OpenModel,
  request: AnswerRequest,
  { tokens, answer, grammar, limit }: Prepared,
  signal: AbortSignal,
): AsyncGenerator<EngineEvent, void> {
  const generated: Token[] = [];
  const options = toSampling(request, generated, limit);
  const last = await evaluatePrompt(slot, tokens, plan.promptStep, signal);
  const iterator = slot.sequence.evaluateWithMetadata(
    last,
    { probabilities: request.logprobs === true },
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
      const { probabilities } = step.value as { readonly probabilities?: Probabilities };
      if (probabilities)
        yield {
          type: 'logprobs',
          tokens: [toTokenLogprob(vocabulary, token, probabilities, request.top_logprobs ?? 0)],
        };
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
