import { createElement, Suspense, type ComponentType } from 'react';
import { prerender } from 'react-dom/static';
import { expect, test } from 'vitest';
import { toPreloadedView } from './preloadedView.ts';
import { toLazyPart, toLost } from './lazyPart.ts';

const fail = (): Promise<ComponentType<object>> =>
  Promise.reject(new TypeError('Failed to fetch dynamically imported module'));

async function draw(Part: ComponentType<object>): Promise<string> {
  const around = createElement('main', null, 'around', createElement(Suspense, null, createElement(Part)));
  const { prelude } = await prerender(around);
  return await new Response(prelude).text();
}

test('a part that arrives is shown', async () => {
  expect(await draw(toLazyPart('The plot', async () => () => createElement('p', null, 'drawn')))).toContain('drawn');
});

test('a part that does not arrive says so in its own place', async () => {
  const html = await draw(toLazyPart('The plot', fail));
  expect(html).toContain('around');
  expect(html).toContain('The plot could not be loaded.');
  expect(html).toContain('Reload the page</button>');
});

test('so does one that is fetched ahead of need, after another try', async () => {
  let tries = 0;
  const { View, prefetch } = toPreloadedView(() => ((tries += 1), fail()), toLost('This part'));
  await prefetch();
  expect(await draw(View)).toContain('This part could not be loaded.');
  expect(tries).toBe(2);
});
