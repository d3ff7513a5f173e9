import { afterEach, expect, it, vi } from 'vitest';
import { handleCommands } from '#ui/commands/commands.ts';
import { readUrl } from '#ui/address/urlState.ts';
import { checkOnHeldOut, openInPlayground, showPanes } from './layoutStore.ts';

afterEach(() => vi.unstubAllGlobals());

/** A window at this query, and the views that the playground is told to show. */
function open(search: string): string[] {
  const location = new URL(`http://studio/${search}`);
  const go = (_state: unknown, _title: string, url: string): void =>
    void (location.href = new URL(url, location.href).href);
  vi.stubGlobal(
    'window',
    Object.assign(new EventTarget(), { location, innerWidth: 1440, history: { replaceState: go, pushState: go } }),
  );
  const views: string[] = [];
  handleCommands(() => ({ chat: () => views.push('chat'), grid: () => views.push('grid') }));
  return views;
}

it('models open in the chat, also where a grid was on show', () => {
  const views = open('?grid=old');
  openInPlayground(['ft-base-f5da809d-step-338', 'base']);
  expect([readUrl().models, readUrl().grid, views]).toEqual([['ft-base-f5da809d-step-338', 'base'], null, ['chat']]);
});

it('validation rows open in a grid, and another pane joins what is on show', () => {
  const views = open('?grid=old');
  showPanes(['a', 'b']);
  expect([readUrl().models, readUrl().grid]).toEqual([['a', 'b'], 'old']);
  checkOnHeldOut(['a'], 'snapshot');
  expect([readUrl().grid, views]).toEqual(['rows:snapshot', []]);
});
