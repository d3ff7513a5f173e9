import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { SessionRow } from './SessionRow.tsx';

const SESSION = {
  id: 's',
  title: 'Refunds',
  isNamed: true,
  savedAt: 0,
  turnCount: 2,
  models: ['m'],
  isCurrent: false,
  isElsewhere: false,
  isDamaged: false,
};
const nothing = (): void => undefined;
const actions = { onOpen: nothing, onRename: nothing, onExport: nothing, onDelete: nothing };
const render = (session: Partial<typeof SESSION>, blocker: string | null): string =>
  renderToStaticMarkup(
    createElement(SessionRow, { session: { ...SESSION, ...session }, excerpt: null, blocker, ...actions }),
  );

/** What describes the first button of the row, which opens the session; null: it can be pressed. */
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
])('a session that can’t be opened says why: %o, %s', (session, blocker, reason) =>
  expect(toReason(render(session, blocker))).toBe(reason),
);
