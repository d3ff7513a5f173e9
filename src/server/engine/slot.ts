// One sequence of a context: it evaluates a prompt in steps and remembers it, so that the next turn of the same
// conversation need not be read again.
import type { LlamaContextSequence, Token } from 'node-llama-cpp';
import { throwIfAborted } from './abort.ts';

export interface Slot {
  readonly sequence: LlamaContextSequence;
  /** Tokens at the start of the cache that were evaluated as whole steps of a prompt. */
  prompt: readonly Token[];
}

/**
 * How many leading tokens need not be evaluated again: whole steps only, and never all of them. Generated tokens are
 * not reused: they went through other batch shapes, and the same request must give the same text (SPEC 4.3 `seed`).
 */
export function countKept(slot: Slot, tokens: readonly Token[], step: number): number {
  const end = Math.min(slot.prompt.length, tokens.length - 1);
  let same = 0;
  while (same < end && slot.prompt[same] === tokens[same]) same += 1;
  return same - (same % step);
}

/**
 * Evaluates the prompt but for its last step, which it gives back: generation begins with it. Between two steps an
 * abort takes effect (AbortError); what was evaluated until then stays useful.
 */
export async function evaluatePrompt(
  slot: Slot,
  tokens: readonly Token[],
  step: number,
  signal: AbortSignal,
): Promise<Token[]> {
  const { sequence } = slot;
  let at = countKept(slot, tokens, step);
  slot.prompt = slot.prompt.slice(0, at);
  if (at === 0) await sequence.clearHistory();
  else await sequence.eraseContextTokenRanges([{ start: at, end: sequence.nextTokenIndex }]);
  throwIfAborted(signal);
  while (tokens.length - at > step) {
    await sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(at, at + step));
    at += step;
    slot.prompt = tokens.slice(0, at);
    throwIfAborted(signal);
  }
  return tokens.slice(at);
}
