import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toTokenView } from './tokenView.ts';
import type { ModelPart, ModelView } from './whatModelSees.ts';

const open = (...pieces: string[]): ModelPart => ({ pieces, isTrained: false, message: null });
const trained = (message: number, ...pieces: string[]): ModelPart => ({ pieces, isTrained: true, message });
const viewOf = (parts: readonly ModelPart[]): ModelView => ({ parts, dropped: [], problem: null });
/** One token for each two letters. */
const pairs = (piece: string): number[] =>
  Array.from({ length: Math.ceil(piece.length / 2) }, (_, at) => Math.min(2, piece.length - at * 2));

describe('toTokenView', () => {
  it('counts tokens piece by piece, and says what is trained and cut', () => {
    const view = viewOf([open('abc', 'de'), trained(1, 'fghi'), open('j')]);
    expect(toTokenView(view, pairs, 4)).toEqual({
      tokens: 6,
      trained: 2,
      cut: 2,
      trainedCut: 1,
      spans: [
        { from: 0, to: 5, isTrained: false, isCut: false, message: null },
        { from: 5, to: 7, isTrained: true, isCut: false, message: 1 },
        { from: 7, to: 9, isTrained: true, isCut: true, message: 1 },
        { from: 9, to: 10, isTrained: false, isCut: true, message: null },
      ],
      ends: [2, 3, 5, 7, 9, 10],
    });
    expect(toTokenView(view, pairs, null)).toMatchObject({ tokens: 6, cut: 0, trainedCut: 0 });
    expect(toTokenView(viewOf([]), pairs, 4)).toMatchObject({ tokens: 0, spans: [], ends: [] });
  });

  it('trains no token with a character that marks forbid', () => {
    const view = viewOf([open('ab'), { ...trained(1, 'cdefgh'), forbidden: [{ from: 1, to: 3 }] }]);
    expect(toTokenView(view, pairs, null)).toMatchObject({
      trained: 1,
      spans: [
        { from: 0, to: 6, isTrained: false, message: null },
        { from: 6, to: 8, isTrained: true, message: 1 },
      ],
    });
  });

  it('covers the whole text without gaps, whatever the tokenizer says', () => {
    const parts = fc.array(fc.tuple(fc.array(fc.string(), { maxLength: 3 }), fc.boolean()), { maxLength: 4 });
    fc.assert(
      fc.property(parts, fc.array(fc.nat(5), { maxLength: 6 }), fc.nat(8), (list, lengths, context) => {
        const view = viewOf(
          list.map(([pieces, isTrained], at) => ({ pieces, isTrained, message: isTrained ? at : null })),
        );
        const text = list.flatMap(([pieces]) => pieces).join('');
        const { spans, ends, tokens } = toTokenView(view, () => lengths, context);
        expect(spans.reduce((at, span) => (expect(span.from).toBe(at), span.to), 0)).toBe(text.length);
        expect(ends).toHaveLength(tokens);
        for (const span of spans) expect(span.to).toBeGreaterThan(span.from);
      }),
    );
  });
});
