import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { NotGiven } from './NotGiven.tsx';

it('is a dash whose name and title say what it means', () => {
  expect(renderToStaticMarkup(createElement(NotGiven))).toMatch(
    /role="img" aria-label="not given" title="not given"[^>]*>—</,
  );
});
