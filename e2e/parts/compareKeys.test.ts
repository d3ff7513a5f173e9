// The keys of the compare: the cell that has the focus keeps it while its column changes places.
import { createElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, expect, it } from 'vitest';
import { toColumnNames } from '#features/experiments/web/compare/columnNames.ts';
import { CompareTable } from '#features/experiments/web/compare/CompareTable.tsx';
import type { CompareColumn } from '#features/experiments/web/compare/compareColumns.ts';
import { toTestCandidate } from '#features/experiments/shared/candidate.fixture.ts';
import { toCompareTable } from '#features/experiments/web/compare/comparison.ts';

afterEach(() => document.body.replaceChildren());

const toColumn = (id: string, n_epochs: number) => ({
  kind: 'ready' as const,
  ref: id,
  series: 0,
  candidate: toTestCandidate(id, { origin: 'run', label: id, n_epochs }),
  losses: [],
  measured: null,
  created: null,
  gap: null,
});

function openTable() {
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  const client = new QueryClient();
  const show = (columns: readonly (CompareColumn & { kind: 'ready' })[]) =>
    flushSync(() =>
      root.render(
        createElement(
          QueryClientProvider,
          { client },
          createElement(CompareTable, {
            columns,
            naming: toColumnNames(columns),
            table: toCompareTable(
              columns.map(({ candidate }) => candidate),
              null,
              false,
            ),
            sort: null,
            onSort: () => undefined,
            faded: new Set<string>(),
            hovered: null,
            onHover: () => undefined,
          }),
        ),
      ),
    );
  return { show, close: () => root.unmount() };
}

const cellOf = (text: string): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>('td[data-cell]')].find((cell) => cell.textContent?.startsWith(text));
function press(key: string): void {
  flushSync(() => document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })));
}

const [a, b, c] = [toColumn('a', 11), toColumn('b', 22), toColumn('c', 33)];

it.each([
  ['another run becomes the baseline', '22', [c, a, b]],
  ['it becomes the baseline itself', '33', [c, a, b]],
  ['it was the baseline', '11', [b, c, a]],
])('the focus stays on its value: %s', (_case, value, order) => {
  const { show, close } = openTable();
  show([a, b, c]);
  flushSync(() => cellOf(value)?.focus());
  expect(document.activeElement?.textContent).toContain(value);
  show(order);
  expect(document.activeElement?.textContent).toContain(value);
  expect((document.activeElement as HTMLElement).tabIndex).toBe(0);
  expect(document.querySelectorAll('[data-cell][tabindex="0"]')).toHaveLength(1);
  // The next key starts where the value stands now.
  const at = order.findIndex(({ candidate }) => String(candidate.n_epochs) === value);
  press('ArrowLeft');
  expect(document.activeElement?.getAttribute('data-cell')).toMatch(new RegExp(`:${at - 1}$`));
  close();
});

it('a column that leaves gives its place to the next one, and a focus elsewhere is not taken', () => {
  const { show, close } = openTable();
  show([a, b, c]);
  flushSync(() => cellOf('22')?.focus());
  show([a, c]);
  expect(document.activeElement?.textContent).toContain('33');
  const other = document.body.appendChild(document.createElement('button'));
  flushSync(() => other.focus());
  show([c, a]);
  expect(document.activeElement).toBe(other);
  close();
});
