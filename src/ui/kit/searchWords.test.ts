import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasWord, isImplied, MOST_WORDS, toAllBits, toOwnBits, toSearchWords } from './searchWords.ts';

const has = (text: string, word: string): boolean => toSearchWords([word]).some((entry) => hasWord(text, entry));

describe('a word of one or two characters', () => {
  const text = 'run 12 lora\n7f3a2b1c-2d4e\nqwen-7b\ndataset 9\ngrün';
  it.each([
    ['1', true],
    ['12', true],
    ['lo', true],
    // Outside the label only as a whole word.
    ['7', false],
    ['2', true],
    ['2d', false],
    ['9', true],
    ['7b', true],
    ['gr', false],
  ])('%j: %j', (word, found) => {
    expect(has(text, word)).toBe(found);
  });

  it('is found after places that are no whole word', () => {
    expect(has('label\na9b 9', '9')).toBe(true);
    expect(has('label\na9b 99', '9')).toBe(false);
  });
});

it('a longer word is found wherever the text has it', () => {
  const text = fc.string({ maxLength: 30 });
  fc.assert(
    fc.property(text, fc.string({ minLength: 3, maxLength: 12 }), text, (before, word, after) => {
      expect(has(`label\n${before}${word}${after}`, word)).toBe(true);
    }),
  );
  expect(has('experiment', 'experimenz')).toBe(false);
  expect(has('experi ment', 'experiment')).toBe(false);
});

it('of several words each has its bit; no more are looked at than fit', () => {
  expect(toOwnBits('a run\nqwen', toSearchWords(['qwen', 'nope', 'run']))).toBe(0b101);
  expect(toOwnBits('a run\nqwen', toSearchWords(['qwen', 'run']))).toBe(toAllBits(2));
  expect(toSearchWords(Array.from({ length: 40 }, (_, at) => `w${at}`)).length).toBe(MOST_WORDS);
});

it('a short word is implied by itself alone: a longer one may be found where it is not', () => {
  expect(isImplied('lor', ['lora'])).toBe(true);
  expect(isImplied('lo', ['lora'])).toBe(false);
  expect(isImplied('lo', ['lo', 'x'])).toBe(true);
});
