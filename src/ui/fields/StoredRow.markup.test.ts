import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { StoredRow } from './StoredRow.tsx';

const ROW = { title: 'Refunds', savedAt: 0, isCurrent: false, isElsewhere: false, isUnreadable: false, about: [] };
const render = (row: Partial<typeof ROW>, blocker: string | null): string =>
  renderToStaticMarkup(createElement(StoredRow, { ...ROW, ...row, blocker, onOpen: () => undefined }));

/** What describes the first button of the row, which opens it; null: it can be pressed. */
function toReason(html: string): string | null {
  const button = /<button[^>]*>/.exec(html)?.[0] ?? '';
  const id = /aria-describedby="([^"]+)"/.exec(button)?.[1];
  if (id === undefined || !button.includes('aria-disabled="true"')) return null;
  return html.split(`id="${id}" hidden="">`)[1]?.split('<')[0] ?? '';
}

it.each([
  [{}, null, null],
  [{}, 'An answer is on its way.', 'An answer is on its way.'],
  [{ isElsewhere: true }, null, 'It is open in another tab.'],
  [{ isCurrent: true }, 'An answer is on its way.', null],
])('what can’t be opened says why: %o, %s', (row, blocker, reason) =>
  expect(toReason(render(row, blocker))).toBe(reason),
);
