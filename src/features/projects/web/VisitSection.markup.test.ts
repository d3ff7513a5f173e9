import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { TEST_TREE } from '#features/projects/web/treeIndex/tree.fixture.ts';
import { treeIndex } from '#features/projects/web/treeIndex/treeIndex.ts';
import type { ChangesSinceVisit } from '#features/projects/web/treeChanges/visitChanges.ts';
import { VisitSection } from './VisitSection.tsx';

const HOUR = 3_600_000;
const index = treeIndex(TEST_TREE);

function toText(since: ChangesSinceVisit): string {
  const html = renderToStaticMarkup(createElement(VisitSection, { since, index, now: 10 * HOUR }));
  return html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

it('says that nothing changed', () => {
  expect(toText({ at: 7 * HOUR, changes: [], removed: 0 })).toBe('Since your last visit 3 h ago Nothing changed.');
});

it('lists what changed since, with its path, and counts what is gone', () => {
  const node = index.nodes[index.placeOf.get('e2') ?? 0] ?? TEST_TREE;
  const since = {
    at: 9 * HOUR,
    changes: [{ node, kind: 'status', from: 'running', to: 'failed' }],
    removed: 6,
  } as const;
  expect(toText(since)).toBe(
    'Since your last visit 1 h ago Experiment e2 running to failed Ticket triage › Snapshot 1 › First round ' +
      '6 nodes removed.',
  );
});
