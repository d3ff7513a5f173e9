import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { PlotNote } from './PlotNote.tsx';

it('is one line, or nothing', () => {
  expect(renderToStaticMarkup(createElement(PlotNote, { text: 'Runs of 2 datasets.' }))).toMatch(
    /<\/svg>Runs of 2 datasets\.<\/p>$/,
  );
  expect(renderToStaticMarkup(createElement(PlotNote, { text: null }))).toBe('');
});
