// Prompts are read in whole steps: an abort takes effect between two of them, and no step is read twice.
import { describe, expect, it } from 'vitest';
import type { LlamaContextSequence, Token } from 'node-llama-cpp';
import { countReusable, evaluatePrompt, findBestSlot, type Slot } from './slot.ts';

const STEP = 4;
const IDLE = new AbortController().signal;
const toTokens = (text: string): Token[] => Array.from(text, (char) => char.charCodeAt(0) as Token);

/** A sequence that holds what it was given; `onStep` is called after each step. */
function openSlot(onStep: () => void = () => undefined): {
  readonly slot: Slot;
  readonly steps: string[];
  held(): string;
} {
  const steps: string[] = [];
  let held: readonly Token[] = [];
  const toText = (tokens: readonly Token[]): string => String.fromCharCode(...tokens);
  const sequence = {
    get nextTokenIndex() {
      return held.length;
    },
    async clearHistory() {
      held = [];
    },
    async eraseContextTokenRanges([range]: readonly { readonly start: number; readonly end: number }[]) {
      if (range?.end !== held.length) throw new Error('Only the end of the cache is ever erased.');
      held = held.slice(0, range.start);
    },
    async evaluateWithoutGeneratingNewTokens(tokens: readonly Token[]) {
      steps.push(toText(tokens));
      held = [...held, ...tokens];
      onStep();
    },
  };
  const slot: Slot = { sequence: sequence as unknown as LlamaContextSequence, prompt: [] };
  return { slot, steps, held: () => toText(held) };
}

describe('evaluatePrompt', () => {
  it('reads all but the last step, which generation begins with', async () => {
    const { slot, steps } = openSlot();
    expect(await evaluatePrompt(slot, toTokens('abcdefgh12'), STEP, IDLE)).toEqual(toTokens('12'));
    expect(steps).toEqual(['abcd', 'efgh']);
  });

  it('gives a whole last step back too, so that there is always one', async () => {
    const { slot, steps } = openSlot();
    expect(await evaluatePrompt(slot, toTokens('abcdefgh'), STEP, IDLE)).toEqual(toTokens('efgh'));
    expect(steps).toEqual(['abcd']);
  });

  it('does not read again what the conversation began with, and forgets the rest', async () => {
    const { slot, steps, held } = openSlot();
    await evaluatePrompt(slot, toTokens('abcdefghijklm'), STEP, IDLE);
    steps.length = 0;
    expect(await evaluatePrompt(slot, toTokens('abcdefghXYZ12'), STEP, IDLE)).toEqual(toTokens('2'));
    expect(steps).toEqual(['XYZ1']);
    expect(held()).toBe('abcdefghXYZ1');
  });

  it('reads no further step after an abort, and keeps what was read', async () => {
    const controller = new AbortController();
    const { slot, steps } = openSlot(() => {
      if (steps.length === 2) controller.abort();
    });
    await expect(evaluatePrompt(slot, toTokens('a'.repeat(40)), STEP, controller.signal)).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(steps).toHaveLength(2);
    expect(countReusable(slot, toTokens('a'.repeat(40)), STEP)).toBe(8);
  });
});

describe('countReusable', () => {
  it.each([
    ['', 'abcdefgh', 0],
    ['abcdefgh', 'abcdefghi', 8],
    ['abcdefgh', 'abcdefgh', 4],
    ['abcdefgh', 'abcdefXh', 4],
    ['abcdefgh', 'abX', 0],
    ['abcdefgh', 'Xbcdefghi', 0],
  ])('after %j, %j keeps %i tokens: whole steps, never all', (before, now, kept) => {
    const { slot } = openSlot();
    slot.prompt = toTokens(before);
    expect(countReusable(slot, toTokens(now), STEP)).toBe(kept);
  });
});

describe('findBestSlot', () => {
  it.each([
    [[], null],
    [['', ''], 0],
    [['abcd', 'abcdefgh', 'abcdefghXXXX'], 1],
    [['XXXX', 'abcd'], 1],
  ])('of slots that have read %j, the one that has most of "abcdefghi" is number %j', (read, best) => {
    const slots = read.map((text): Slot => ({ ...openSlot().slot, prompt: toTokens(text) }));
    expect(findBestSlot(slots, toTokens('abcdefghi'), STEP)).toBe(best === null ? null : slots[best]);
  });
});
