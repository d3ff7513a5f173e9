import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { removeCompared } from './removeCompared.ts';
import { readUrl, updateUrl } from '#ui/address/urlState.ts';

let search = '';
const show = (_state: unknown, _title: string, url: string): void =>
  void (search = new URL(url, 'http://studio.test').search);

beforeEach(() => {
  search = '?project=p&compare=x:a,x:b,x:c&baseline=x:b';
  vi.stubGlobal('window', {
    location: {
      get search() {
        return search;
      },
      pathname: '/',
      hash: '',
    },
    history: { replaceState: show, pushState: show },
  });
});
afterEach(() => void vi.unstubAllGlobals());

it('takes out, and gives back what it took beside what changed since', () => {
  const undo = removeCompared(['x:a', 'x:b']);
  expect([readUrl().compare, readUrl().baseline]).toEqual([['x:c'], null]);
  updateUrl({ compare: ['x:d'] });
  expect(undo()).toBeNull();
  expect([readUrl().compare, readUrl().baseline]).toEqual([['x:a', 'x:b', 'x:d'], 'x:b']);
});

it('gives nothing back where another project is open, and says so', () => {
  const undo = removeCompared(['x:a']);
  updateUrl({ project: 'other', compare: ['x:z'] });
  expect(undo()).toMatch(/another project/);
  expect(readUrl().compare).toEqual(['x:z']);
});
