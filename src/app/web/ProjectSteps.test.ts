// What a studio without a project advises, as markup.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { modelsQuery } from '#ui/client/queries.ts';
import { ProjectSteps } from './ProjectSteps.tsx';

function render(models: readonly string[]): string {
  const client = new QueryClient();
  const entries = models.map((id) => ({ id, created: 0, object: 'model' as const, owned_by: '' }));
  client.setQueryData(modelsQuery().queryKey, entries);
  const steps = createElement(ProjectSteps, { mode: 'local', isListed: true, onRetry: () => undefined });
  return renderToStaticMarkup(createElement(QueryClientProvider, { client }, steps));
}

it('gives each way to models a command, and warns of the other data folder', () => {
  const page = render([]);
  for (const command of ['--model my-model=', '--engine http://'])
    expect(page).toContain(`aria-label="Copy npm start -- ${command}`);
  expect(page).toContain('another data folder');
});

it('says which models are served instead of how to get one', () => {
  const page = render(['mine']);
  expect(page).toContain('mine is ready');
  expect(render(['a', 'b', 'c', 'd', 'e'])).toContain('a, b, c and 2 more are ready');
  expect(page).not.toContain('--engine http://');
});
