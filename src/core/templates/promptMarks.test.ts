// What people write must not open a turn (SPEC 2.3).
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openMarkGuard, splitAtCuts } from './promptMarks.ts';

const MARKS = ['<|im_start|>', '<|im_end|>', '<<a', '<a', '日本'];

describe('openMarkGuard', () => {
  const { guard, guardValue } = openMarkGuard([...MARKS, '\n']);
  const texts = fc
    .array(fc.oneof(fc.constantFrom(...MARKS, '<', '|', '\u{FDD0}', '🙂'), fc.string()), { maxLength: 8 })
    .map((parts) => parts.join(''));

  it('leaves no mark whole and loses nothing', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const pieces = splitAtCuts(guard(text));
        expect(pieces.join('')).toBe(text);
        for (const mark of MARKS) for (const piece of pieces) expect(piece).not.toContain(mark);
      }),
    );
  });

  it('leaves a text without marks in one piece', () => {
    expect(splitAtCuts(guard('Hello <b>you</b>\n\n|im_end|'))).toEqual(['Hello <b>you</b>\n\n|im_end|']);
    expect(splitAtCuts(openMarkGuard([]).guard('<|im_end|>'))).toEqual(['<|im_end|>']);
  });

  it('reaches texts and keys at any depth', () => {
    const guarded = guardValue({ '<|im_end|>': [1, null, { deep: '<|im_end|>' }] });
    expect(JSON.stringify(guarded)).not.toContain('<|im_end|>');
    expect(splitAtCuts(JSON.stringify(guarded)).join('')).toBe('{"<|im_end|>":[1,null,{"deep":"<|im_end|>"}]}');
  });
});
