import { afterEach, expect, it, vi } from 'vitest';
import { choosePlot, toPlotChoice } from './changePlot.ts';

afterEach(() => vi.unstubAllGlobals());

function open(kept: string | null): void {
  const location = new URL('http://studio/');
  const go = (_state: unknown, _title: string, url: string): void =>
    void (location.href = new URL(url, location.href).href);
  const stored = new Map(kept === null ? [] : [['studio.plot', kept]]);
  const localStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => void stored.set(key, text),
  };
  const history = { replaceState: go, pushState: go };
  vi.stubGlobal('window', Object.assign(new EventTarget(), { location, history, localStorage }));
}

it.each<[string, string | null, string | null, boolean, string]>([
  ['loss curves are first', null, null, true, 'loss'],
  ['nothing is drawn where there are no losses', null, null, false, 'none'],
  ['a person who chose loss curves hears why there are none', null, 'loss', false, 'loss'],
  ['the plot that was chosen before is first', 'parallel', null, true, 'parallel'],
  ['the address decides', 'parallel', 'scatter', true, 'scatter'],
  ['an unknown one counts as none', 'pie', null, true, 'loss'],
])('%s', (_what, kept, text, canDraw, kind) => {
  open(kept);
  expect(toPlotChoice(text, canDraw).kind).toBe(kind);
});

it('remembers the plot that is chosen', () => {
  open(null);
  choosePlot('parallel');
  expect([window.location.search, toPlotChoice(null, true)]).toEqual(['?plot=parallel', { kind: 'parallel' }]);
});
