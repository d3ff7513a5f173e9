// Goes on with a text, without template, reasoning or tool calls. Runs beside llama.cpp. The log probabilities of a text that
// is already there are what evaluations compare.
import type { SequenceEvaluateOptions, Token } from 'node-llama-cpp';
import { throwIfAborted } from '#engine/abort.ts';
import { EngineError, toOverflow, type EngineEvent, type ScoredToken } from '#engine/engine.ts';
import { toSampling } from '#engine/sampling.ts';
import { evaluatePrompt, type Slot } from '#engine/slot.ts';
import { StopFilter } from '#engine/stopFilter.ts';
import type { OpenModel } from './answering.ts';
import type { AnswerRequest, TextStart } from './hostMessages.ts';
import { toScored, type Probabilities } from './tokenScores.ts';

/** Probabilities that are held at a time: node-llama-cpp makes a map of the whole vocabulary for each token. */
const MAX_PROBABILITIES = 2_000_000;
/** What the model itself says: node-llama-cpp 3.21 gives the whole vocabulary, and nothing else shapes it. */
const UNSHAPED: SequenceEvaluateOptions = { temperature: 0 };

/** The tokens of a text to go on with. Throws EngineError 400. */
export function toTextTokens({ vocabulary, plan }: OpenModel, { prompt }: TextStart): readonly Token[] {
  if (typeof prompt !== 'string') {
    const at = prompt.findIndex((token) => token >= vocabulary.size);
    if (at !== -1)
      throw new EngineError(
        `The prompt has the token ${prompt[at]}, but this model has ${vocabulary.size}. Use the model's own tokenizer, or send a text.`,
        400,
        'unknown_token',
        'prompt',
      );
  } else {
    const least = Math.ceil(prompt.length / vocabulary.longestPiece);
    if (least >= plan.contextSize) throw toOverflow(`at least ${least}`, plan.contextSize, 'prompt');
  }
  const tokens = typeof prompt === 'string' ? vocabulary.tokenize([prompt]) : (prompt as readonly Token[]);
  if (tokens.length === 0)
    throw new EngineError('The prompt is empty. Send at least one token.', 400, 'empty_prompt', 'prompt');
  if (tokens.length >= plan.contextSize) throw toOverflow(String(tokens.length), plan.contextSize, 'prompt');
  return tokens;
}

/** The prompt's own text, each token with its log probability given those before it. The last is not evaluated yet. */
async function* scorePrompt(
  slot: Slot,
  { vocabulary, plan }: OpenModel,
  tokens: readonly Token[],
  { prompt, logprobs }: TextStart,
  signal: AbortSignal,
): AsyncGenerator<Extract<EngineEvent, { type: 'text-delta' }>, void> {
  const decoder = vocabulary.openDecoder([], true);
  const isBeginAdded =
    typeof prompt === 'string' && !prompt.startsWith(vocabulary.toTokenText(tokens[0] ?? (0 as Token)));
  let offset = 0;
  const read = (token: Token, at: number): string => {
    const text = decoder.push(token);
    return at === 0 && isBeginAdded ? '' : text;
  };
  const most = logprobs ?? 0;
  const step = Math.max(1, Math.min(plan.promptStep, Math.floor(MAX_PROBABILITIES / vocabulary.size)));
  slot.prompt = [];
  await slot.sequence.clearHistory();
  const [first = 0 as Token] = tokens;
  const begin = read(first, 0);
  yield { type: 'text-delta', text: begin, tokens: [toScored(vocabulary, first, offset, undefined, most)] };
  offset += begin.length;
  for (let at = 0; at < tokens.length - 1; at += step) {
    const part = tokens.slice(at, Math.min(at + step, tokens.length - 1));
    throwIfAborted(signal);
    const outputs = await slot.sequence.controlledEvaluate(
      part.map((token) => [token, { generateNext: { probabilities: true, options: UNSHAPED } }]),
    );
    throwIfAborted(signal);
    let text = '';
    const scored = outputs.map((output, index) => {
      const token = tokens[at + index + 1] as Token;
      const one = toScored(vocabulary, token, offset, output?.next.probabilities, most);
      const piece = read(token, at + index + 1);
      text += piece;
      offset += piece.length;
      return one;
    });
    yield { type: 'text-delta', text, tokens: scored };
  }
}

/** The events of a completion: text, with its tokens if `logprobs` was asked for, and the end. An abort takes effect between two steps. */
export async function* completeText(
  slot: Slot,
  model: OpenModel,
  request: AnswerRequest,
  start: TextStart,
  tokens: readonly Token[],
  signal: AbortSignal,
): AsyncGenerator<EngineEvent, void> {
  const { vocabulary, plan } = model;
  const { echo, logprobs, prompt } = start;
  let offset = 0;
  const isScored = echo && logprobs !== null;
  if (isScored) {
    for await (const event of scorePrompt(slot, model, tokens, start, signal)) {
      offset += event.text.length;
      yield event;
    }
  } else if (echo) {
    const decoder = vocabulary.openDecoder([], true);
    const text = typeof prompt === 'string' ? prompt : tokens.map((token) => decoder.push(token)).join('');
    yield { type: 'text-delta', text };
  }
  const limit = Math.min(request.max_completion_tokens ?? plan.contextSize, plan.contextSize - tokens.length);
  let count = 0;
  let isCut = limit === 0;
  if (!isCut) {
    const last = isScored ? tokens.slice(-1) : await evaluatePrompt(slot, tokens, plan.promptStep, signal);
    const generated: Token[] = [];
    const decoder = vocabulary.openDecoder(tokens, false);
    const stop = new StopFilter(request.stop);
    /** Tokens whose text the stop filter may still hold back. */
    let pending: ScoredToken[] = [];
    let read = offset;
    const take = (text: string, isEnd: boolean): EngineEvent[] => {
      offset += text.length;
      const shown = isEnd && !stop.isStopped ? pending : pending.filter((token) => token.offset < offset);
      pending = pending.slice(shown.length);
      if (text === '' && shown.length === 0) return [];
      return [{ type: 'text-delta', text, ...(logprobs === null ? {} : { tokens: shown }) }];
    };
    const iterator = slot.sequence.evaluateWithMetadata(
      [...last],
      { probabilities: logprobs !== null },
      toSampling(request, generated, limit),
    );
    try {
      for (;;) {
        const step = await iterator.next();
        throwIfAborted(signal);
        if (step.done === true) break;
        const { token } = step.value;
        count += 1;
        // The end mark has no text, but counts: evaluations drop the last token as the one that was generated.
        const isEnd = vocabulary.isEnd(token);
        const text = isEnd ? '' : decoder.push(token);
        if (logprobs !== null) {
          const { probabilities } = step.value as { readonly probabilities?: Probabilities };
          pending.push(toScored(vocabulary, token, read, probabilities, logprobs));
        }
        if (isEnd) break;
        generated.push(token);
        read += text.length;
        yield* take(stop.push(text), false);
        if (stop.isStopped) break;
        if (count >= limit) {
          isCut = true;
          break;
        }
      }
    } finally {
      await iterator.return();
    }
    yield* take(stop.flush(), true);
  }
  const usage = { completion_tokens: count, prompt_tokens: tokens.length, total_tokens: tokens.length + count };
  yield { type: 'message-end', finish_reason: isCut ? 'length' : 'stop', usage };
}
