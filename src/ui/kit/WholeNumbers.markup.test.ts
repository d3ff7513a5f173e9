import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { WholeNumbers } from './WholeNumbers.tsx';

const toMarkup = (text: string): string =>
  renderToStaticMarkup(createElement(WholeNumbers, { text })).replaceAll(/<span[^>]*>(.*?)<\/span>/g, '[$1]');

it('numbers with a negative exponent are one piece each, and nothing else is', () => {
  expect(toMarkup('133 times 1.5e-3 (or 2e-10), GPT-4 at 0.2')).toBe('133 times [1.5e-3] (or [2e-10]), GPT-4 at 0.2');
  expect(toMarkup('5e-4')).toBe('[5e-4]');
  expect(toMarkup('no number')).toBe('no number');
});
