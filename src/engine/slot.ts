// One sequence of a context. It evaluates a prompt in steps and keeps the steps, so that the next turn of the same
// conversation evaluates only what is new.
import type { LlamaContextSequence, Token } from 'node-llama-cpp';
import { throwIfAborted } from './abort.ts';

export interface Slot {
  readonly sequence: LlamaContextSequence;
  /** The tokens at the start of the cache that were evaluated as whole steps of a prompt. */
  prompt: readonly Token[];
}

/**
 * How many leading tokens the slot has evaluated already: whole steps only, and never all tokens. Generated tokens
 * are not reused: they had other batch shapes, and the same request must give the same text (SPEC 4.3 `seed`).
 */
export function countReusable(slot: Slot, tokens: readonly Token[], step: number): number {
  const end = Math.min(slot.prompt.length, tokens.length - 1);
  let same = 0;
  while (same < end && slot.prompt[same] === tokens[same]) same += 1;
  return same - (same % step);
}

/** The slot that has evaluated the most leading tokens already, the first of several; null: there is none. */
export function findBestSlot(slots: readonly Slot[], tokens: readonly Token[], step: number): Slot | null {
  const score = (slot: Slot): number => countReusable(slot, tokens, step);
  return slots.reduce<Slot | null>((best, slot) => (best && score(slot) <= score(best) ? best : slot), null);
}

/**
 * Evaluates the prompt except its last step and returns that step: generation begins with it. An abort takes effect
 * between two steps (AbortError); the slot keeps the steps that it has evaluated.
 */
export async function evaluatePrompt(
  slot: Slot,
  tokens: readonly Token[],
  step: number,
  signal: AbortSignal,
): Promise<Token[]> {
  const { sequence } = slot;
  let at = countReusable(slot, tokens, step);
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
