import { expect, it } from 'vitest';
import type { RowView } from '#features/datasets/shared/contract/rowView.ts';
import { toPieces, toSeenProblems, toSeenText } from './modelViewText.ts';

const view: RowView = {
  model: 'support-base',
  context: 512,
  model_context: 512,
  template: 'file',
  tokens: 1200,
  trained: 27,
  cut: 0,
  trained_cut: 0,
  dropped: [],
  problem: null,
  spans: [
    { text: 'Ask me', is_trained: false, is_cut: false, message: null, tokens: [3, 6] },
    { text: 'Yes!', is_trained: true, is_cut: false, message: 1, tokens: [3] },
    { text: '\n', is_trained: false, is_cut: true, message: null, tokens: [1] },
  ],
  left_out: 0,
};

it.each([
  [{}, '1,200 tokens, 27 of them trained. The context of 512 cuts nothing.'],
  [{ cut: 1 }, 'The context of 512 cuts the last 1 token, none of them trained.'],
  [{ cut: 900, trained_cut: 7 }, 'cuts the last 900 tokens, 7 of them trained.'],
  [{ cut: 900, trained_cut: 27 }, 'cuts the last 900 tokens, with all that is trained.'],
  [{ context: null }, 'does not say how long its context is.'],
])('of %j it is said: %s', (more, words) => {
  expect(toSeenText({ ...view, ...more })).toContain(words);
});

it('says why nothing is trained, which answers are missing, and that there is no template', () => {
  expect(toSeenProblems(view)).toEqual([]);
  const refused = { kind: 'refused', message: 'It is refused.' } as const;
  expect(toSeenProblems({ ...view, problem: refused, dropped: [1] })).toEqual(['It is refused.']);
  expect(toSeenProblems({ ...view, cut: 30, trained_cut: 27 })).toEqual([
    expect.stringContaining('nothing of this row is trained'),
  ]);
  const [dropped, chatml] = toSeenProblems({ ...view, dropped: [1, 3], template: 'chatml' });
  expect([dropped, chatml]).toEqual([expect.stringContaining('message 2, 4'), expect.stringContaining('ChatML')]);
});

it('shows stretches, or tokens one by one, and never loses a character', () => {
  expect(toPieces(view, false).map(({ text }) => text)).toEqual(['Ask me', 'Yes!', '\n']);
  expect(toPieces(view, true)).toEqual([
    { text: 'Ask', isTrained: false, isCut: false },
    { text: ' me', isTrained: false, isCut: false },
    { text: 'Yes', isTrained: true, isCut: false },
    { text: '!', isTrained: true, isCut: false },
    { text: '\n', isTrained: false, isCut: true },
  ]);
  const text = 'a'.repeat(5000);
  const long = { ...view, spans: [{ ...view.spans[0]!, text, tokens: [...text].map((_, at) => at + 1) }] };
  const pieces = toPieces(long, true);
  expect([pieces.length, pieces.map((piece) => piece.text).join('')]).toEqual([3001, text]);
});
