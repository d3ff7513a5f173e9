import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { trainingQueueQuery } from '#features/training/web/api/trainingQueries.ts';
import { sessionQuery } from '#ui/client/queries.ts';
import { TreeRow } from './TreeRow.tsx';
import { TreeContext } from './treeContext.ts';
import { WaitingBadge } from './WaitingBadge.tsx';
import { WaitReason } from './WaitReason.tsx';

const REASON = 'Waiting at gpu: Resources, job 7.';

function render(element: ReactElement): string {
  const client = new QueryClient();
  client.setQueryData(sessionQuery().queryKey, { mode: 'local' } as never);
  client.setQueryData(trainingQueueQuery().queryKey, {
    running: [],
    waiting: [{ experiment_id: 'e1', reason: REASON }],
  } as never);
  return renderToStaticMarkup(createElement(QueryClientProvider, { client }, element));
}

it('the row of a run that waits is described by the reason, which the header of the run shows as text', () => {
  const node = { id: 'e1', type: 'experiment', status: 'queued' };
  const index = { nodes: [node], level: [0], position: [1], siblings: [1] };
  const badge = createElement(WaitingBadge, { id: 'e1', status: 'queued' });
  const row = { id: 'e1', row: 0, at: 0, children: null, isOpen: false };
  const props = { node: { data: row }, attrs: {}, children: badge } as never;
  const html = render(
    createElement(TreeContext, { value: { index, selectedId: null } as never }, createElement(TreeRow, props)),
  );
  const described = /aria-describedby="([^"]+)"/.exec(html)?.[1] ?? 'none';
  expect(html).toContain(`<span id="${described}" hidden="">${REASON}</span>`);
  expect(render(createElement(WaitReason, { id: 'e1' }))).toBe(`<p class="text-sm text-soft">${REASON}</p>`);
});
