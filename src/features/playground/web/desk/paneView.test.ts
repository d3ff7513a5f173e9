import { expect, it } from 'vitest';
import { findPanesInView, toPlaceText } from './paneView.ts';

const panes = (count: number, width = 340) =>
  Array.from({ length: count }, (_, place) => ({ left: place * width, width }));

it.each<[string, number, number, number, string | null]>([
  ['all fit', 2, 0, 680, null],
  ['all fit but for a part of a pixel', 2, 0, 679, null],
  ['one is cut off', 3, 0, 800, 'Panes 1–2 of 3'],
  ['the first is cut off', 3, 220, 800, 'Panes 2–3 of 3'],
  ['one at a time', 3, 340, 340, 'Pane 2 of 3'],
  ['on the way from one to the next', 3, 260, 340, 'Pane 2 of 3'],
  ['in the midst of many', 8, 680, 1100, 'Panes 3–5 of 8'],
  ['no pane', 0, 0, 500, null],
])('%s', (_what, count, scrolled, width, expected) => {
  const view = findPanesInView(panes(count), scrolled, width);
  expect(view && toPlaceText(view, count)).toBe(expected);
});
